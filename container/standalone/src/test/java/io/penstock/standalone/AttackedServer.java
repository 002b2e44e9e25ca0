package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server under attack: {@code penstock.jar} in its own process, with the memory and the settings of "Ten thousand phones on a machine of 1
 * GB" in docs/operations.md. While the attack runs, honest users send 200 requests a second for a small file. {@link
 * #assertHonestUsersAreServed} and {@link #awaitHeapOfBefore} say whether the server has survived.
 *
 * <p>The attackers are a {@link Crowd}, or written by the test.
 */
final class AttackedServer implements AutoCloseable {

    /** The number of attackers. The build uses the default; {@code -Dpenstock.attackers=12000} attacks at full strength. */
    static final int ATTACKERS = Integer.getInteger("penstock.attackers", 2000);

    /** The last option makes the live heap exact: a collection could leave a twentieth of the heap as it is, which would count as live. */
    private static final List<String> MEMORY =
            List.of("-Xmx256m", "-XX:MaxDirectMemorySize=192m", "-XX:+UseSerialGC", "-XX:MarkSweepDeadRatio=0");

    private static final int USERS = 4;
    private static final int REQUESTS_PER_SECOND = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Pattern ADMIN = Pattern.compile("flow board at (http://[^/]+)/");
    private static final Pattern LIVE = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");

    /** The live heap may grow by this much, for classes and for caches of the server that an attack fills once. */
    private static final long KEPT = 8 << 20;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final JarProcess jar;
    private final int port;
    private final String admin;
    private final List<HonestUser> users = new ArrayList<>();
    private final Semaphore dueRequests = new Semaphore(0);
    private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
    private volatile boolean attacked = true;
    private final long heapBefore;

    private AttackedServer(JarProcess jar, int port, String admin) throws IOException, InterruptedException {
        this.jar = jar;
        this.port = port;
        this.admin = admin;
        heapBefore = liveHeap();
        for (int i = 0; i < USERS; i++) {
            users.add(new HonestUser());
        }
        users.forEach(Thread::start);
        pace.scheduleAtFixedRate(
                this::tick, 0, TimeUnit.SECONDS.toNanos(1) / REQUESTS_PER_SECOND, TimeUnit.NANOSECONDS);
    }

    /** Lets one of the honest users send a request. If the server is late, the users send fewer requests. */
    private void tick() {
        if (dueRequests.availablePermits() < USERS) {
            dueRequests.release();
        }
    }

    private void endHonestUsers() throws InterruptedException {
        attacked = false;
        pace.shutdown();
        dueRequests.release(USERS);
        for (HonestUser user : users) {
            user.join();
        }
    }

    /**
     * Starts a server with one application at {@code /}, and the honest users.
     *
     * @param folder an empty folder for the application
     * @param servlets the annotated servlets of the application, which has the file {@code hello.txt}, too
     * @param options more options of the server; they override the settings for ten thousand phones
     */
    static AttackedServer start(Path folder, List<Class<?>> servlets, String... options)
            throws IOException, InterruptedException {
        Path classes = Files.createDirectories(folder.resolve("WEB-INF/classes/io/penstock/standalone"));
        Files.writeString(folder.resolve("hello.txt"), "hello");
        for (Class<?> servlet : servlets) {
            String name = servlet.getSimpleName() + ".class";
            try (InputStream in = servlet.getResourceAsStream(name)) {
                Files.write(classes.resolve(name), in.readAllBytes());
            }
        }
        List<String> all = new ArrayList<>(List.of(
                "--host=127.0.0.1",
                "--port=0",
                "--admin-port=0",
                "--max-connections=12000",
                "--send-buffer=32K",
                "--spool-limit=4G",
                "--keep-alive-timeout=2m"));
        all.addAll(Arrays.asList(options));
        all.add("/=" + folder);
        JarProcess jar = JarProcess.withMemory(MEMORY, all.toArray(String[]::new));
        String line = jar.startLine();
        Matcher operators = ADMIN.matcher(line);
        assertTrue(operators.find(), line);
        return new AttackedServer(jar, JarProcess.port(line), operators.group(1));
    }

    int port() {
        return port;
    }

    /** The log that the server has written until now. */
    String log() throws IOException {
        return jar.log();
    }

    /** The page of the admin port, for example {@code /metrics}. */
    String admin(String path) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create(admin + path))
                                .timeout(PATIENCE)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The value of one metric without labels, for example {@code penstock_queued}. */
    double metric(String name) throws IOException, InterruptedException {
        return admin("/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no metric " + name));
    }

    /** The bytes of the live objects of the server. Each call collects the garbage of the server. */
    long liveHeap() throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(jar.pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String histogram;
        try (InputStream out = jcmd.getInputStream()) {
            histogram = new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertTrue(jcmd.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        Matcher total = LIVE.matcher(histogram);
        assertTrue(total.find(), histogram);
        return Long.parseLong(total.group(1));
    }

    /** The live heap before the attack, in bytes. */
    long heapBefore() {
        return heapBefore;
    }

    /** Fails if an honest user has got no answer, or another answer than the file. Prints the number of requests and the slowest one. */
    void assertHonestUsersAreServed() throws IOException, InterruptedException {
        endHonestUsers();
        long served = 0;
        long slowest = 0;
        for (HonestUser user : users) {
            served += user.served;
            slowest = Math.max(slowest, user.slowest);
            assertTrue(user.failure == null, () -> "an honest user was not served: " + user.failure + "\n" + logEnd());
        }
        assertTrue(served > 0);
        assertTrue(jar.isAlive(), this::logEnd);
        System.out.printf(
                "honest users: %d requests answered, the slowest in %d ms%n",
                served, TimeUnit.NANOSECONDS.toMillis(slowest));
    }

    /** Fails if an honest user has got no answer until now. Returns what the answers since the last call took. */
    String answers() throws IOException {
        List<Long> nanos = new ArrayList<>();
        for (HonestUser user : users) {
            assertTrue(user.failure == null, () -> "an honest user was not served: " + user.failure + "\n" + logEnd());
            user.nanos.drainTo(nanos);
        }
        assertTrue(jar.isAlive(), this::logEnd);
        Collections.sort(nanos);
        return nanos.isEmpty()
                ? "no answers"
                : "%d answers, 99 %% in %.1f ms, the slowest in %.1f ms"
                        .formatted(
                                nanos.size(),
                                nanos.get(nanos.size() * 99 / 100) / 1e6,
                                nanos.get(nanos.size() - 1) / 1e6);
    }

    /** Waits until the live heap is as small as before the attack. The attackers must have left. */
    void awaitHeapOfBefore() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            long heap = liveHeap();
            assertTrue(heap <= heapBefore + KEPT, () -> "%,d bytes, %,d before; heads: %,.0f bytes"
                    .formatted(heap, heapBefore, heads()));
        });
    }

    private double heads() {
        try {
            return metric("penstock_head_bytes");
        } catch (IOException | InterruptedException e) {
            return Double.NaN; // only for the message of a failure
        }
    }

    private String logEnd() {
        try {
            String log = jar.log();
            return log.substring(Math.max(0, log.length() - 4000));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        endHonestUsers();
        jar.close();
    }

    /** Sends requests on one connection, at the pace of all honest users. */
    private final class HonestUser extends Thread {
        long served;
        long slowest;
        volatile Exception failure;
        final BlockingQueue<Long> nanos = new LinkedBlockingQueue<>();

        HonestUser() {
            super("honest-user");
        }

        @Override
        public void run() {
            try (KeptConnection connection = new KeptConnection(port)) {
                for (dueRequests.acquire(); attacked; dueRequests.acquire()) {
                    long sent = System.nanoTime();
                    assertEquals(200, connection.get("/hello.txt"));
                    long took = System.nanoTime() - sent;
                    nanos.add(took);
                    slowest = Math.max(slowest, took);
                    served++;
                }
            } catch (IOException | InterruptedException | AssertionError e) {
                failure = new Exception(e.toString(), e);
            }
        }
    }
}
