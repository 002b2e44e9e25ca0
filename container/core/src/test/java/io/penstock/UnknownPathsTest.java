package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.admin.JsonValue;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests how requests share the workers while the server does not know the paths of an application yet, for example after its start. */
class UnknownPathsTest {
    private static final int WORKERS = 16;

    /** The most that one kind of path gets: seven eighths. */
    private static final int FAIR = 14;

    private static final int CLIENTS = 40;

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    private final CountDownLatch leave = new CountDownLatch(1);

    /** Serves a whole application. All paths but one hang until the test opens a latch. */
    private final class Dispatcher extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (!request.getPathInfo().equals("/hello")) {
                try {
                    leave.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            response.getWriter().print("done");
        }
    }

    private Penstock start() throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(WORKERS)
                .set("admin-port", "0")
                .set("queue-age", "5m")
                .context("/", context -> context.servlet("dispatcher", new Dispatcher(), "/*"))
                .start();
    }

    private List<Socket> hang(Penstock server, String path) throws IOException {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            String target = path.replace("N", "n" + i);
            clients.add(
                    RawExchange.begin(server, "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
        }
        return clients;
    }

    private void release(Penstock server, List<Socket> clients) throws Exception {
        leave.countDown();
        for (Socket client : clients) {
            assertTrue(client.getInputStream().readAllBytes().length > 0);
            client.close();
        }
        nothingLeft.awaitIn(server);
    }

    @Test
    void aPathThatHangsBeforeItsFirstResponseDoesNotStopTheOthers() throws Exception {
        try (Penstock server = start()) {
            List<Socket> clients = hang(server, "/hang");
            await().atMost(PATIENCE).until(() -> server.gauges().get("queued") == CLIENTS - FAIR);
            assertEquals("done", RawExchange.get(server, "/hello").body());
            await().atMost(PATIENCE).until(() -> server.gauges().get("workers-busy") == FAIR);
            release(server, clients);
        }
    }

    @Test
    void aClientThatInventsPathsGetsFewMappings() throws Exception {
        try (Penstock server = start()) {
            List<Socket> clients = hang(server, "/N");
            await().atMost(PATIENCE)
                    .until(() -> server.gauges().get("queued") + server.gauges().get("workers-busy") == CLIENTS);
            Object mappings = JsonValue.at(AdminPort.of(server).json("/dump"), "mappings");
            assertEquals(9, ((List<?>) mappings).size(), mappings::toString);
            release(server, clients);
        }
    }
}
