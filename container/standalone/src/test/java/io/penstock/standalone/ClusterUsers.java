package io.penstock.standalone;

import io.penstock.testing.Patience;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/**
 * Sends requests of many users at a constant rate. Each user has one session and two browser windows. Each window has its own counters. A
 * counting request increments the counters of one window. A window sends one counting request at a time. The two windows of a user may
 * send requests at the same time. Other requests have no session. Each response to a window is compared with the previous response to this
 * window. Counting requests are POST requests. Therefore, the client and the proxy do not repeat a request that was sent.
 *
 * <p>The executor {@code pace} sends the requests at the constant rate, and the executor {@code answers} checks the responses. {@link
 * #close} ends both executors.
 */
final class ClusterUsers implements AutoCloseable {
    /** The maximum number of concurrent requests. If this number is reached, the next requests are not sent. */
    private static final int RUNNING = 500;

    private static final long TICK_MILLIS = 10;

    private final URI address;
    private final HttpClient client;
    private final ExecutorService answers = Executors.newFixedThreadPool(2, threads("cluster-answers"));
    private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor(threads("cluster-pace"));
    private final Semaphore permits = new Semaphore(RUNNING);
    private final List<User> users = new ArrayList<>();

    /** All windows. The two windows of a user are neighbours in the list, so their requests begin at almost the same time. */
    private final List<Window> windows = new ArrayList<>();

    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private final Queue<Long> plainNanos = new ConcurrentLinkedQueue<>();
    private final Queue<Long> refusedNanos = new ConcurrentLinkedQueue<>();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger plain = new AtomicInteger();
    private final AtomicLong notSent = new AtomicLong();
    private int next;
    private double due;

    /**
     * A failed request: it got no response, or a response with a status other than 200.
     *
     * @param begun the time of the request by {@link System#nanoTime}
     * @param ended the time of the failure by {@link System#nanoTime}
     * @param status the status of the response; 0 without a response
     */
    record Failure(long begun, long ended, int status, boolean hasRetryAfter, String what) {
        boolean isWithin(long from, long to) {
            return ended >= from && begun <= to;
        }

        /** Returns whether the request was refused because the store is unavailable. */
        boolean isRefusal() {
            return status == 503 && hasRetryAfter;
        }
    }

    /** One user with a session. */
    private static final class User {
        private volatile String cookie = "";
    }

    /** A window of a user. While {@code busy} is set, only the running request of the window may change the counts. */
    private static final class Window {
        private final User user;
        private final int number;
        private final AtomicBoolean busy = new AtomicBoolean();
        private int successes;
        private int failed;
        private int inside;
        private int set;

        private Window(User user, int number) {
            this.user = user;
            this.number = number;
        }
    }

    ClusterUsers(int port, int count) {
        address = URI.create("http://127.0.0.1:" + port);
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(answers)
                .build();
        for (int i = 0; i < count; i++) {
            User user = new User();
            users.add(user);
            for (int number = 0; number < ClusterApplication.WINDOWS; number++) {
                windows.add(new Window(user, number));
            }
        }
    }

    private static ThreadFactory threads(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Logs in all users, one after the other. Each user gets a session. */
    void begin() throws Exception {
        for (User user : users) {
            HttpResponse<String> begun = client.send(request("/begin", user), HttpResponse.BodyHandlers.ofString());
            if (begun.statusCode() != 200) {
                throw new IllegalStateException(
                        "the login of a user has failed: " + begun.statusCode() + " " + begun.body());
            }
            remember(user, begun);
        }
    }

    private HttpRequest request(String path, User user) {
        HttpRequest.Builder asked =
                HttpRequest.newBuilder(address.resolve(path)).timeout(Patience.PATIENCE);
        if (!user.cookie.isEmpty()) {
            asked.header("Cookie", "JSESSIONID=" + user.cookie);
        }
        return asked.POST(HttpRequest.BodyPublishers.noBody()).build();
    }

    private static void remember(User user, HttpResponse<String> response) {
        for (String line : response.headers().allValues("Set-Cookie")) {
            if (line.startsWith("JSESSIONID=")) {
                user.cookie = line.substring("JSESSIONID=".length(), line.indexOf(';'));
            }
        }
    }

    /**
     * Starts to send requests.
     *
     * @param rate the number of counting requests per second
     * @param plainRate the number of requests without a session per second
     */
    void startSending(double rate, double plainRate) {
        pace.scheduleAtFixedRate(() -> tick(rate), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
        long between = Math.round(1e9 / plainRate);
        pace.scheduleAtFixedRate(this::sendPlain, 0, between, TimeUnit.NANOSECONDS);
    }

    private void tick(double rate) {
        for (due += rate * TICK_MILLIS / 1000; due >= 1; due--) {
            Window window = idle();
            if (window == null || !permits.tryAcquire()) {
                if (window != null) {
                    window.busy.set(false);
                }
                notSent.incrementAndGet();
            } else {
                count(window);
            }
        }
    }

    /** Reserves the next window without a running request. Returns null if all windows have a running request. */
    private Window idle() {
        for (int i = 0; i < windows.size(); i++) {
            Window window = windows.get(next++ % windows.size());
            if (window.busy.compareAndSet(false, true)) {
                return window;
            }
        }
        return null;
    }

    /** Sends a counting request. The returned future completes when the response has been checked, or the failure has been recorded. */
    private CompletableFuture<Void> count(Window window) {
        long begun = System.nanoTime();
        return client.sendAsync(
                        request("/count?window=" + window.number, window.user), HttpResponse.BodyHandlers.ofString())
                .handle((response, thrown) -> {
                    try {
                        check(window, begun, Optional.ofNullable(response), thrown);
                    } catch (RuntimeException | Error e) {
                        problems.add(e.toString());
                    } finally {
                        window.busy.set(false);
                        permits.release();
                    }
                    return null;
                });
    }

    private void check(Window window, long begun, Optional<HttpResponse<String>> response, Throwable thrown) {
        if (response.isEmpty() || response.get().statusCode() != 200) {
            window.failed++;
            failed("count", begun, response, thrown);
            return;
        }
        remember(window.user, response.get());
        String[] told = response.get().body().split(" ", -1);
        if (told.length != 6) {
            problems.add("the session is lost: " + response.get().body());
            return;
        }
        window.successes++;
        window.inside = check("inside", window, window.inside, Integer.parseInt(told[0]));
        window.set = check("set", window, window.set, Integer.parseInt(told[1]));
        if (!told[2].equals("ann")) {
            problems.add("logged out: " + response.get().body());
        }
        String wish = told[4].equals("1") ? "kite" : "hidden";
        if (!told[3].equals(wish)) {
            problems.add("version " + told[4] + " sees the wish " + told[3]);
        }
        served.incrementAndGet();
    }

    /**
     * Checks a counter. The counter must be higher than in the previous response to the window. It must not be higher than the number of
     * counting requests of the window, including failed requests.
     */
    private int check(String counter, Window window, int before, int told) {
        if (told <= before || told > window.successes + window.failed) {
            problems.add(counter + " is " + told + " after " + before + ", with " + window.successes + " counted and "
                    + window.failed + " failed requests");
        }
        return told;
    }

    private void failed(String what, long begun, Optional<HttpResponse<String>> response, Throwable thrown) {
        long now = System.nanoTime();
        int status = response.map(HttpResponse::statusCode).orElse(0);
        boolean retry = response.map(
                        has -> has.headers().firstValue("Retry-After").isPresent())
                .orElse(false);
        Failure failure = new Failure(
                begun,
                now,
                status,
                retry,
                what + ": "
                        + response.map(has -> has.statusCode() + " " + has.body())
                                .orElseGet(() -> String.valueOf(thrown)));
        failures.add(failure);
        if (failure.isRefusal()) {
            refusedNanos.add(now - begun);
        }
    }

    private void sendPlain() {
        if (!permits.tryAcquire()) {
            notSent.incrementAndGet();
            return;
        }
        long begun = System.nanoTime();
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/plain"))
                .timeout(Patience.PATIENCE)
                .build();
        client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).whenComplete((response, thrown) -> {
            permits.release();
            if (response == null || response.statusCode() != 200) {
                failed("plain", begun, Optional.ofNullable(response), thrown);
            } else {
                plain.incrementAndGet();
                plainNanos.add(System.nanoTime() - begun);
            }
        });
    }

    /** Waits until this number of further counting requests has been served. */
    void awaitServed(int more) {
        int until = served.get() + more;
        Awaitility.await().until(() -> served.get() >= until);
    }

    /** Waits until this number of further requests without a session has been served. */
    void awaitPlain(int more) {
        int until = plain.get() + more;
        Awaitility.await().until(() -> plain.get() >= until);
    }

    /** Waits until this number of further requests has been refused. */
    void awaitRefused(int more) {
        int until = refusedNanos.size() + more;
        Awaitility.await().until(() -> refusedNanos.size() >= until);
    }

    int served() {
        return served.get();
    }

    /** Returns the number of requests that were refused since the last call of {@link #takeRefusedTimes}. */
    int refused() {
        return refusedNanos.size();
    }

    /** Returns the failures so far, and removes them. */
    List<Failure> takeFailures() {
        return taken(failures);
    }

    /** Returns the durations of the requests without a session so far, and removes them. */
    Times takePlainTimes() {
        return Times.of(taken(plainNanos));
    }

    /** Returns the durations of the refused requests so far, and removes them. */
    Times takeRefusedTimes() {
        return Times.of(taken(refusedNanos));
    }

    private static <T> List<T> taken(Queue<T> queue) {
        List<T> taken = new ArrayList<>();
        for (T one = queue.poll(); one != null; one = queue.poll()) {
            taken.add(one);
        }
        return taken;
    }

    /** The durations of requests. */
    record Times(int count, double p50Millis, double p99Millis, double maxMillis) {
        static Times of(List<Long> nanos) {
            long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
            return new Times(sorted.length, at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
        }

        private static double at(long[] sorted, double share) {
            return sorted.length == 0 ? 0 : sorted[(int) Math.max(0, Math.ceil(share * sorted.length) - 1)] / 1e6;
        }

        @Override
        public String toString() {
            return "%d: p50 %.1f ms, p99 %.1f ms, max %.1f ms".formatted(count, p50Millis, p99Millis, maxMillis);
        }
    }

    /** Returns the problems so far, for example a lost session or a wrong counter. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Stops sending requests, and waits until no request is running. */
    void end() throws InterruptedException {
        pace.shutdown();
        if (!pace.awaitTermination(Patience.PATIENCE.toSeconds(), TimeUnit.SECONDS) || !awaitNoRunningRequests()) {
            throw new IllegalStateException("some requests are still running");
        }
    }

    private boolean awaitNoRunningRequests() throws InterruptedException {
        boolean rest = permits.tryAcquire(RUNNING, Patience.PATIENCE.toSeconds() * 2, TimeUnit.SECONDS);
        permits.release(rest ? RUNNING : 0);
        return rest;
    }

    /**
     * Sends a last request for each window, after {@link #end}. Checks the counters in the response. Also checks that the two counters of a
     * window differ by at most the number of failed requests of this window. The two counters can differ if a node was killed between the
     * two changes of a request. Then a request of the other window may have saved the first change.
     */
    void compare() throws InterruptedException {
        for (Window window : windows) {
            // This call does not wait, because no other request is running.
            permits.acquire();
            count(window).join();
            if (Math.abs(window.inside - window.set) > window.failed) {
                problems.add("inside is " + window.inside + ", and set is " + window.set);
            }
        }
    }

    long notSent() {
        return notSent.get();
    }

    /** Returns the number of failed requests that nevertheless have changed a counter. */
    int ahead() {
        return windows.stream()
                .mapToInt(window -> window.set - window.successes)
                .sum();
    }

    @Override
    public void close() {
        pace.shutdownNow();
        answers.shutdownNow();
    }
}
