package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.AnyCertificate;
import io.penstock.testing.FreePort;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Restarts two servers behind a proxy, one server at a time. The proxy has a configuration from {@code docs/production.md}. No request of a
 * client may fail during the restarts.
 */
@NeedsProgram(Program.OPENSSL)
class RestartBehindProxyIT {
    /** The number of restarts. The system property {@code restarts} sets another number, for a longer run. */
    private static final int RESTARTS = Integer.getInteger("restarts", 4);

    private static final int USERS = 8;
    private static final String ECHO = "/echo-body";
    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");

    @TempDir
    Path folder;

    private final Server one = new Server();
    private final Server other = new Server();
    private Path certificate;
    private boolean http2; // between the proxy and the servers

    RestartBehindProxyIT() throws IOException {}

    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicBoolean done = new AtomicBoolean();

    @BeforeEach
    void makeCertificate() throws Exception {
        certificate = new TestAuthority(folder).server();
    }

    @Test
    @NeedsProgram(Program.NGINX)
    void noRequestFailsDuringRestartsBehindNginx() throws Exception {
        restartUnderLoad(() -> ProxyProcess.nginx(
                port -> ProductionDocument.nginx(port, certificate, ProductionDocument.upstream("8081", addresses()))));
    }

    @Test
    @NeedsProgram(Program.HAPROXY)
    void noRequestFailsDuringRestartsBehindHaproxy() throws Exception {
        restartBehindHaproxy("");
    }

    /** The health checks go to the admin port, which speaks HTTP/1.1 only. */
    @Test
    @NeedsProgram(Program.HAPROXY)
    void noRequestFailsDuringRestartsIfHaproxySpeaksHttp2WithTheServers() throws Exception {
        http2 = true;
        restartBehindHaproxy(" proto h2 check-proto h1");
    }

    /** @param more further options of each server */
    private void restartBehindHaproxy(String more) throws Exception {
        Path together = Files.writeString(
                folder.resolve("together.pem"),
                Files.readString(certificate) + Files.readString(TestAuthority.key(certificate)));
        restartUnderLoad(() -> ProxyProcess.haproxy(port -> ProductionDocument.haproxy(
                port,
                together,
                ProductionDocument.block("haproxy", "8081", addresses())
                        .replace("port 9090", "port " + one.adminPort + more)
                        .replace("port 9091", "port " + other.adminPort + more))));
    }

    private Map<String, String> addresses() {
        return Map.of("127.0.0.1:8080", "127.0.0.1:" + one.port, "127.0.0.1:8081", "127.0.0.1:" + other.port);
    }

    /** Starts a proxy in front of the two servers. */
    @FunctionalInterface
    private interface ProxyStarter {
        ProxyProcess start() throws IOException;
    }

    private void restartUnderLoad(ProxyStarter starter) throws Exception {
        Files.writeString(folder.resolve("small.txt"), "small");
        Files.writeString(folder.resolve("large.bin"), "large".repeat(100_000));
        one.start();
        other.start();
        try (ProxyProcess proxy = starter.start()) {
            List<Thread> users = startUsers(proxy.port());
            for (int i = 0; i < RESTARTS; i++) {
                awaitServed(served.get() + 200);
                Server next = i % 2 == 0 ? one : other;
                next.stop();
                next.start();
                next.awaitRequests();
            }
            awaitServed(served.get() + 200);
            done.set(true);
            for (Thread user : users) {
                user.join();
            }
            assertTrue(failures.isEmpty(), () -> failures + " among " + served + " requests\n" + proxy.log());
        } finally {
            done.set(true);
            one.close();
            other.close();
        }
    }

    /** A server that uses the same ports after each restart. */
    private final class Server implements AutoCloseable {
        final int port = FreePort.next();
        final int adminPort = FreePort.next();
        private JarProcess process;
        private Path log;
        private int starts;

        Server() throws IOException {}

        /** Starts the server, and returns when the server is ready. */
        void start() throws IOException {
            log = folder.resolve("access-" + port + "-" + ++starts + ".log");
            JarProcess started = JarProcess.run(
                    "--host=127.0.0.1",
                    "--port=" + port,
                    "--admin-port=" + adminPort,
                    "--shutdown-delay=2s",
                    "--h2c=" + (http2 ? "on" : "off"),
                    "--access-log=" + log,
                    "--trusted-proxies=127.0.0.1",
                    "/=" + SAMPLE,
                    "/files=" + folder);
            process = started;
            assertEquals(port, JarProcess.port(started.startLine()));
        }

        /** Waits until the proxy sends requests to this server. After that, the test can stop the other server. */
        void awaitRequests() {
            String line = (http2 ? "HTTP/2.0" : "HTTP/1.1") + "\" 200 ";
            Awaitility.await().until(() -> Files.readString(log).contains(line));
        }

        void stop() throws Exception {
            JarProcess stopping = process;
            stopping.terminate();
            assertEquals(143, stopping.ended().exitCode());
            stopping.close();
        }

        @Override
        public void close() throws IOException, InterruptedException {
            if (process != null) {
                process.close();
            }
        }
    }

    /**
     * Starts clients that send one request after the other. The requests include uploads, small and large files, and slow responses.
     */
    private List<Thread> startUsers(int port) {
        List<String> paths = List.of(
                "/hello?name=Anna", ECHO, "/files/small.txt", "/files/large.bin", "/slow-text?paragraphs=3&pause=10");
        List<Thread> users = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            int first = i;
            Thread user = new Thread(() -> sendRequests(port, paths, first), "user-" + i);
            users.add(user);
            user.start();
        }
        return users;
    }

    private void sendRequests(int port, List<String> paths, int first) {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(AnyCertificate.trusting())
                .build();
        for (int i = first; !done.get(); i++) {
            String path = paths.get(i % paths.size());
            HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                    .timeout(PATIENCE);
            HttpRequest request = path.equals(ECHO)
                    ? builder.POST(HttpRequest.BodyPublishers.ofString("text")).build()
                    : builder.build();
            try {
                HttpResponse<byte[]> response = client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                        .join();
                if (response.statusCode() != 200) {
                    failures.add(path + ": " + response.statusCode());
                }
            } catch (CompletionException e) {
                failures.add(path + ": " + e);
            }
            served.incrementAndGet();
        }
    }

    private void awaitServed(int count) {
        Awaitility.await().until(() -> served.get() >= count);
    }
}
