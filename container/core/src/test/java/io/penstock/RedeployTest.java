package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.Packing;
import io.penstock.deploy.application.VersionServlet;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests deployment, redeployment and undeployment while the server runs. */
class RedeployTest {
    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Semaphore entered = new Semaphore(0);
    private final Semaphore released = new Semaphore(0);

    @BeforeEach
    void shareTheSemaphores() {
        System.getProperties().put(VersionServlet.ENTERED, entered);
        System.getProperties().put(VersionServlet.RELEASED, released);
    }

    @AfterEach
    void releaseAllRequests() {
        released.release(1000);
        System.getProperties().remove(VersionServlet.ENTERED);
        System.getProperties().remove(VersionServlet.RELEASED);
    }

    private static Penstock.Builder local() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(4);
    }

    private Path war(String version) throws IOException {
        return Packing.empty()
                .with("version.txt", version)
                .withClasses("WEB-INF/classes/", VersionServlet.class)
                .archive(folder.resolve("version-" + version + ".war"));
    }

    private static HttpRequest request(Penstock server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(PATIENCE)
                .build();
    }

    private HttpResponse<String> get(Penstock server, String path) throws Exception {
        return client.send(request(server, path), HttpResponse.BodyHandlers.ofString());
    }

    private CompletableFuture<HttpResponse<String>> begin(Penstock server, String path) throws Exception {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request(server, path), HttpResponse.BodyHandlers.ofString());
        assertTrue(entered.tryAcquire(60, TimeUnit.SECONDS));
        return answer;
    }

    @Test
    void newRequestsUseTheNewVersionAndRunningRequestsFinishInTheOldVersion() throws Exception {
        try (Penstock server = local().war("/shop", war("1")).start()) {
            CompletableFuture<HttpResponse<String>> running = begin(server, "/shop/held");
            server.deploy("/shop", war("2"));
            assertEquals("2", get(server, "/shop/version").body());
            assertFalse(running.isDone());
            released.release();
            assertEquals("1", running.get(60, TimeUnit.SECONDS).body());
            assertEquals(List.of("/shop"), server.contexts());
        }
    }

    @Test
    void everyRequestIsServedDuringRepeatedRedeployments() throws Exception {
        try (Penstock server = local().war("/shop", war("0")).start()) {
            AtomicReference<String> wrong = new AtomicReference<>();
            AtomicInteger answered = new AtomicInteger();
            List<Thread> users = List.of(user(server, answered, wrong), user(server, answered, wrong));
            users.forEach(Thread::start);
            for (int version = 1; version <= 15; version++) {
                server.deploy("/shop", war(Integer.toString(version)));
            }
            users.forEach(Thread::interrupt);
            for (Thread user : users) {
                user.join();
            }
            assertEquals(null, wrong.get());
            assertTrue(answered.get() > 0);
            assertEquals("15", get(server, "/shop/version").body());
        }
    }

    private Thread user(Penstock server, AtomicInteger answered, AtomicReference<String> wrong) {
        return new Thread(() -> {
            int least = 0;
            try {
                while (!Thread.interrupted() && wrong.get() == null) {
                    HttpResponse<String> answer = get(server, "/shop/version");
                    if (answer.statusCode() != 200 || Integer.parseInt(answer.body()) < least) {
                        wrong.set(answer.statusCode() + " " + answer.body() + " after " + least);
                    } else {
                        least = Integer.parseInt(answer.body());
                        answered.incrementAndGet();
                    }
                }
            } catch (InterruptedException e) {
                return; // the test interrupts the thread after the last redeployment
            } catch (Exception e) {
                wrong.set(e.toString());
            }
        });
    }

    @Test
    void theOldVersionStaysInServiceIfTheNewVersionIsInvalid() throws Exception {
        try (Penstock server = local().war("/shop", war("1")).start()) {
            Path broken = Packing.empty()
                    .with("WEB-INF/web.xml", "<web-app>\n<servlet>\n</web-app>")
                    .archive(folder.resolve("broken.war"));
            DeployException e = assertThrows(DeployException.class, () -> server.deploy("/shop", broken));
            assertTrue(e.getMessage().startsWith(broken + ": WEB-INF/web.xml:3: "), e.getMessage());
            assertEquals("1", get(server, "/shop/version").body());
        }
    }

    @Test
    void theOldVersionStaysInServiceIfTheNewVersionFailsToStart() throws Exception {
        ServletContextListener failing = new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                throw new IllegalStateException("no database");
            }
        };
        try (Penstock server = local().war("/shop", war("1")).start()) {
            DeployException e = assertThrows(
                    DeployException.class, () -> server.deploy("/shop", context -> context.listener(failing)));
            assertEquals("context /shop: does not start: java.lang.IllegalStateException: no database", e.getMessage());
            assertEquals("1", get(server, "/shop/version").body());
        }
    }

    @Test
    void undeployRefusesNewRequestsAndWaitsForRunningRequests() throws Exception {
        try (Penstock server = local().war("/shop", war("1")).start()) {
            CompletableFuture<HttpResponse<String>> running = begin(server, "/shop/held");
            CompletableFuture<Boolean> undeployed = CompletableFuture.supplyAsync(() -> server.undeploy("/shop"));
            await().until(() -> get(server, "/shop/version").statusCode() == 404);
            assertFalse(undeployed.isDone());
            released.release();
            assertEquals("1", running.get(60, TimeUnit.SECONDS).body());
            assertTrue(undeployed.get(60, TimeUnit.SECONDS));
            assertFalse(server.undeploy("/shop"));
            assertEquals(List.of(), server.contexts());
        }
    }

    @Test
    void anUnfinishedResponseIsAbortedAfterTheUndeployTimeout() throws Exception {
        try (Penstock server =
                local().set("undeploy-timeout", "100ms").war("/shop", war("1")).start()) {
            HttpResponse<InputStream> open =
                    client.send(request(server, "/shop/open"), HttpResponse.BodyHandlers.ofInputStream());
            assertEquals('1', open.body().read());
            assertTrue(server.undeploy("/shop"));
            assertEquals(1, server.counters().get("undeploy-timeouts"));
            assertThrows(IOException.class, () -> open.body().readAllBytes());
        }
    }

    @Test
    void anApplicationDefinedInCodeCanBeDeployedAfterTheServerStarts() throws Exception {
        HttpServlet hello = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.getOutputStream().print("hello");
            }
        };
        try (Penstock server = local().start()) {
            assertEquals(404, get(server, "/late/hello").statusCode());
            server.deploy("/late", context -> context.servlet("hello", hello, "/hello"));
            assertEquals("hello", get(server, "/late/hello").body());
        }
    }

    @Test
    void aServletCanRedeployItsApplication() throws Exception {
        Path next = war("2");
        AtomicReference<Penstock> self = new AtomicReference<>();
        HttpServlet manager = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                try {
                    self.get().deploy("/shop", next);
                } catch (DeployException e) {
                    throw new IOException(e);
                }
                response.getOutputStream().print("replaced");
            }
        };
        try (Penstock server = local().workers(1)
                .context("/shop", context -> context.servlet("manager", manager, "/manage"))
                .start()) {
            self.set(server);
            assertEquals("replaced", get(server, "/shop/manage").body());
            assertEquals("2", get(server, "/shop/version").body());
        }
    }

    @Test
    void anArchiveInAWatchedFolderIsDeployedAndRedeployedAndUndeployed() throws Exception {
        Path webapps = Files.createDirectory(folder.resolve("webapps"));
        try (Penstock server =
                local().webapps(webapps).set("webapps-interval", "20ms").start()) {
            Files.move(war("1"), webapps.resolve("shop.war"));
            awaitVersion(server, "1");
            Path next = war("two");
            Files.move(next, webapps.resolve("shop.war"), StandardCopyOption.ATOMIC_MOVE);
            awaitVersion(server, "two");
            Files.delete(webapps.resolve("shop.war"));
            await().until(() -> get(server, "/shop/version").statusCode() == 404);
        }
    }

    private void awaitVersion(Penstock server, String version) {
        await().until(() -> get(server, "/shop/version").body().equals(version));
    }

    @Test
    void theServerDoesNotStartIfTheWatchedFolderIsMissing() {
        Path missing = folder.resolve("missing");
        StartException e = assertThrows(
                StartException.class, () -> local().webapps(missing).start());
        assertEquals("webapps: " + missing + ": no such folder", e.getMessage());
    }

    @Test
    void aRequestUsesTheNewVersionIfARedeploymentHappensBeforeTheEndOfTheRequestBody() throws Exception {
        HttpServlet length = new HttpServlet() {
            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                byte[] body = request.getInputStream().readAllBytes();
                response.getOutputStream().print("next " + new String(body, StandardCharsets.UTF_8));
            }
        };
        try (Penstock server = local().war("/shop", war("1")).start();
                Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(60_000);
            String head = "POST /shop/version HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write((head + "ab").getBytes(StandardCharsets.US_ASCII));
            await().until(() -> server.gauges().get("connections-body") == 1);
            server.deploy("/shop", context -> context.servlet("length", length, "/version"));
            socket.getOutputStream().write("cd".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.endsWith("next abcd"), answer);
        }
    }
}
