package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers behind nginx, which may try a request that can be repeated once more: one is stopped, and no client notices. */
@NeedsProgram(Program.NGINX)
class StoppedBehindProxyIT {
    private static final int USERS = 8;
    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");

    @TempDir
    Path folder;

    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicBoolean enough = new AtomicBoolean();

    @Test
    void noRequestFailsWhenOneOfTwoIsStoppedUnderLoad() throws Exception {
        stopOneUnderLoad();
    }

    @Test
    void noRequestFailsWhenItTakesLeaveFirst() throws Exception {
        stopOneUnderLoad("--shutdown-delay=500ms");
    }

    private void stopOneUnderLoad(String... options) throws Exception {
        Files.writeString(folder.resolve("small.txt"), "small");
        Files.writeString(folder.resolve("large.bin"), "large".repeat(100_000));
        try (JarProcess staying = JarProcess.run(arguments(options));
                JarProcess leaving = JarProcess.run(arguments(options));
                ProxyProcess proxy = ProxyProcess.nginx(
                        JarProcess.port(staying.startLine()), JarProcess.port(leaving.startLine()))) {
            List<Thread> users = startUsers(proxy.port());
            awaitServed(500);
            leaving.terminate();
            assertEquals(143, leaving.ended().exitCode());
            awaitServed(served.get() + 500);
            enough.set(true);
            for (Thread user : users) {
                user.join();
            }
            assertTrue(failures.isEmpty(), () -> failures + "\n" + proxy.log());
            assertTrue(staying.isAlive());
        }
    }

    private String[] arguments(String... options) {
        List<String> arguments = new ArrayList<>(List.of("--host=127.0.0.1", "--port=0"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("/=" + SAMPLE, "/files=" + folder));
        return arguments.toArray(String[]::new);
    }

    /** Each asks for one thing after the other: at once, a little later, in one piece and in many. */
    private List<Thread> startUsers(int port) {
        List<String> paths =
                List.of("/hello?name=Anna", "/files/small.txt", "/files/large.bin", "/slow-text?paragraphs=3&pause=10");
        List<Thread> users = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            int first = i;
            Thread user = new Thread(() -> use(port, paths, first), "user-" + i);
            users.add(user);
            user.start();
        }
        return users;
    }

    private void use(int port, List<String> paths, int first) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (int i = first; !enough.get(); i++) {
            String path = paths.get(i % paths.size());
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .timeout(PATIENCE)
                    .build();
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
