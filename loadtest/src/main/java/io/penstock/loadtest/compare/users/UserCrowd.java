package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.HttpConnection;
import io.penstock.loadtest.client.Request;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Simulates users of one server. Each user has one connection. All users request the same content, which can be changed while they are
 * running.
 *
 * <p>Thread: any thread except the thread of the {@link ClientLoop} can call the constructor, {@link #arrive}, {@link #ask}, {@link
 * #count}, {@link #freeze}, {@link #pause}, {@link #pass}, {@link #passCounting}, {@link #depart} and {@link #close}. These calls block. All other methods, except
 * {@link #connects}, are called on the thread of the loop.
 *
 * <p>Owns: a {@link ClientLoop}, and the users.
 */
final class UserCrowd implements AutoCloseable {
    /** The time limit for making a connection. After this time, the attempt counts as an error. */
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    /** The time after which a measurement ends even without a result. */
    static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    private final ClientLoop loop;
    private final InetSocketAddress address;
    private final List<User> users;
    private final ConnectTally connects = new ConnectTally();
    private @Nullable Request request;
    private @Nullable AnswerTally tally;

    UserCrowd(InetSocketAddress address, int count) throws IOException {
        this.address = address;
        this.loop = ClientLoop.start(
                ClientSettings.defaults().withMaxConnections(count).withConnectTimeout(CONNECT_TIMEOUT));
        this.users = IntStream.range(0, count)
                .mapToObj(number -> new User(this, number))
                .toList();
    }

    /**
     * Starts the users one after the other, at equal intervals within the given time. Each user sends its first request as soon as it is
     * connected. Returns when the time is over.
     */
    void arrive(Duration within, Request wanted) throws IOException, InterruptedException {
        onLoop(() -> {
            request = wanted;
            comeIn(0, System.nanoTime(), within.toNanos() / users.size());
        });
        pass(within);
    }

    /** Starts all users that are due now, and schedules the next call of this method for the next user. */
    private void comeIn(int arrived, long start, long step) {
        int next = arrived;
        long now = System.nanoTime();
        while (next < users.size() && start + next * step - now <= 0) {
            users.get(next).connect();
            next++;
        }
        if (next < users.size()) {
            int waiting = next;
            loop.at(start + waiting * step, () -> comeIn(waiting, start, step));
        }
    }

    /** Changes the content that all users request. Responses to earlier requests are not counted after this. */
    void ask(Request wanted) throws IOException, InterruptedException {
        onLoop(() -> {
            request = wanted;
            users.forEach(User::askIfResting);
        });
    }

    /**
     * Counts responses from now on, even if their requests were sent before. So the result is the number of responses that the server sends
     * in the counted time.
     */
    AnswerTally count() throws IOException, InterruptedException {
        CompletableFuture<AnswerTally> begun = new CompletableFuture<>();
        onLoop(() -> {
            tally = new AnswerTally();
            begun.complete(tally);
        });
        return begun.join();
    }

    /**
     * Waits for the given time while responses are counted. If nothing is counted in this time, for example because the machine is busy,
     * waits for the first result, but for no longer than {@link #LONGEST_WAIT}.
     */
    void passCounting(Duration time) throws IOException, InterruptedException {
        CompletableFuture<Void> over = new CompletableFuture<>();
        loop.execute(() -> {
            long begun = System.nanoTime();
            loop.at(begun + time.toNanos(), () -> endOnceCounted(over, begun + LONGEST_WAIT.toNanos()));
        });
        await(over);
    }

    private void endOnceCounted(CompletableFuture<Void> over, long latest) {
        long now = System.nanoTime();
        if (tally != null && tally.isEmpty() && now - latest < 0) {
            loop.at(now + BETWEEN_LOOKS.toNanos(), () -> endOnceCounted(over, latest));
        } else {
            over.complete(null);
        }
    }

    /** Ends the counting. For each request without a response, its waiting time so far is added to the tally. The users continue. */
    void freeze(AnswerTally counted) throws IOException, InterruptedException {
        onLoop(() -> {
            long now = System.nanoTime();
            users.forEach(user -> user.tellAge(counted, now));
            counted.freeze();
        });
    }

    /** Stops the sending of requests. The connections stay open. */
    void pause() throws IOException, InterruptedException {
        onLoop(() -> request = null);
    }

    /** Waits for the given time. */
    void pass(Duration time) throws IOException, InterruptedException {
        CompletableFuture<Void> over = new CompletableFuture<>();
        loop.execute(() -> loop.at(System.nanoTime() + time.toNanos(), () -> over.complete(null)));
        await(over);
    }

    /** The counts of the users' connection attempts. Thread: any. */
    ConnectTally connects() {
        return connects;
    }

    /** Ends all users. Their connections are reset, so that no connection stays in the state TIME_WAIT. */
    void depart() throws IOException, InterruptedException {
        onLoop(() -> users.forEach(User::leave));
    }

    @Override
    public void close() {
        loop.close();
    }

    /** The request for the present content; null if users must not send requests. */
    @Nullable
    Request request() {
        return request;
    }

    /** Returns the tally in which a response to the given request must be counted now; null if the response must not be counted. */
    @Nullable
    AnswerTally tallyOf(@Nullable Request asked) {
        return asked == request ? tally : null;
    }

    HttpConnection open(User user) throws CallException {
        return HttpConnection.open(loop, address, user);
    }

    void soon(Runnable task) {
        loop.execute(task);
    }

    void after(long millis, Runnable task) {
        loop.after(millis, task);
    }

    private void onLoop(Runnable task) throws IOException, InterruptedException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            task.run();
            done.complete(null);
        });
        await(done);
    }

    private void await(CompletableFuture<Void> done) throws IOException, InterruptedException {
        try {
            // If the loop has failed, it runs no more tasks. For this reason, the end of the loop also ends the wait.
            CompletableFuture.anyOf(done, loop.ended()).get();
        } catch (ExecutionException failed) {
            throw new IOException("The load generator has failed: " + failed.getCause(), failed);
        }
    }
}
