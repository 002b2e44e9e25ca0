package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests upgraded connections of an application that is undeployed or replaced. The server closes these connections before it destroys the
 * application. These connections do not delay the new version.
 */
class UndeployedUpgradeTest extends UpgradeFixture {

    private final ServletContextListener ending = new ServletContextListener() {
        @Override
        public void contextDestroyed(ServletContextEvent event) {
            events.add("context destroyed");
        }
    };

    private Penstock.Builder builder(Talk talk) {
        return Penstock.builder().host("127.0.0.1").port(0).workers(1).context("/", context -> context.servlet(
                        "talk", servlet(talk), "/talk")
                .listener(ending));
    }

    private void listen(WebConnection connection) throws IOException {
        connection.getInputStream().setReadListener(new Reading(connection));
    }

    @Test
    void undeployClosesUpgradedConnectionsAndDestroysTheHandlersAndThenTheContext() throws Exception {
        try (Penstock server = builder(this::listen).start();
                Socket client = upgrade(server, "")) {
            head(client);
            assertEvents("init");
            CompletableFuture<Boolean> undeployed = CompletableFuture.supplyAsync(() -> server.undeploy("/"));
            assertEquals(-1, client.getInputStream().read());
            client.close();
            assertTrue(undeployed.get(60, TimeUnit.SECONDS));
            assertEvents("all read", "destroy", "context destroyed");
            assertEquals(0, server.counters().get("undeploy-timeouts"));
        }
    }

    @Test
    void theNewVersionServesRequestsWhileTheOldVersionClosesItsUpgradedConnections() throws Exception {
        HttpServlet next = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.getOutputStream().print("next");
            }
        };
        try (Penstock server = builder(this::listen).start();
                Socket client = upgrade(server, "")) {
            head(client);
            assertEvents("init");
            server.deploy("/", context -> context.servlet("next", next, "/talk"));
            assertEquals("next", RawExchange.get(server, "/talk").body());
            assertEquals(-1, client.getInputStream().read());
            client.close();
            assertEvents("all read", "destroy", "context destroyed");
        }
    }

    @Test
    void aConnectionIsResetAfterTheUndeployTimeoutIfTheClientDoesNotRead() throws Exception {
        Talk flooding = connection -> {
            connection.getOutputStream().write(new byte[1 << 20]);
            listen(connection);
            events.add("written");
        };
        try (Penstock server = builder(flooding)
                        .set("undeploy-timeout", "100ms")
                        .set("send-buffer", "4K")
                        .start();
                Socket client = new Socket()) {
            client.setReceiveBufferSize(4096);
            client.setSoTimeout((int) PATIENCE.toMillis());
            client.connect(new InetSocketAddress("127.0.0.1", server.port()));
            send(client, "POST /talk HTTP/1.1\r\n" + UPGRADE_FIELDS);
            head(client);
            assertEvents("init", "written");
            assertTrue(server.undeploy("/"));
            assertEvents("all read", "destroy", "context destroyed");
            assertEquals(1, server.counters().get("undeploy-timeouts"));
            assertThrows(IOException.class, () -> client.getInputStream().readAllBytes());
            await().until(() -> server.gauges().get("connections") == 0);
        }
    }

    /** The server replaces the application after the servlet has called {@code upgrade}, but before the servlet returns. */
    @Test
    void theHandlerIsNotInitializedIfTheApplicationIsReplacedBeforeTheServletReturns() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        HttpServlet held = new HttpServlet() {
            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                try {
                    request.upgrade(Handler.class).events = events;
                    inside.countDown();
                    assertTrue(go.await(60, TimeUnit.SECONDS));
                } catch (Exception e) {
                    throw new IOException(e);
                }
            }
        };
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .workers(2)
                        .context("/", context -> context.servlet("held", held, "/talk")
                                .listener(ending))
                        .start();
                Socket client = upgrade(server, "")) {
            assertTrue(inside.await(60, TimeUnit.SECONDS));
            server.deploy("/", context -> context.initParam("version", "2"));
            go.countDown();
            head(client);
            assertEquals(-1, client.getInputStream().read());
            assertEvents("context destroyed");
            assertTrue(events.isEmpty(), events.toString());
        }
    }
}
