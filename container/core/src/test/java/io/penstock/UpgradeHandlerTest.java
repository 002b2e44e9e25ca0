package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.part.ReleasedUpgradeHandler;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Servlet 6.1, section 2.3.3.5: tests when the server creates, initializes and destroys an HttpUpgradeHandler. */
class UpgradeHandlerTest extends UpgradeFixture {
    @Test
    void theHandlerStartsAfterTheFiltersAndReadsTheBytesAfterTheRequestHead() throws Exception {
        Talk reading = connection -> {
            byte[] five = connection.getInputStream().readNBytes(5);
            events.add(new String(five, StandardCharsets.ISO_8859_1));
            connection.getOutputStream().print("heard");
        };
        try (Penstock server = server(servlet(reading));
                Socket client = upgrade(server, "Hello")) {
            String head = head(client);
            assertTrue(head.startsWith("HTTP/1.1 101 Switching Protocols\r\n"), head);
            assertTrue(head.contains("Upgrade: talk\r\n"), head);
            assertTrue(head.contains("Connection: Upgrade\r\n"), head);
            assertTrue(head.contains("X-After: filter\r\n"), head);
            assertEquals("heard", exactly(client, 5));
            assertEvents("init", "Hello");
            client.setSoLinger(true, 0);
            client.close();
            assertEvents("destroy");
        }
    }

    @Test
    void compressionDoesNotApplyToUpgradedConnections() throws Exception {
        Talk echo = connection -> {
            byte[] all = connection.getInputStream().readNBytes(5_000);
            connection.getOutputStream().write(all);
        };
        String text = "again".repeat(1_000);
        try (Penstock server = builder(servlet(echo)).set("compression", "on").start();
                Socket client = new Socket("127.0.0.1", server.port())) {
            client.setSoTimeout((int) PATIENCE.toMillis());
            send(client, "GET /talk HTTP/1.1\r\nAccept-Encoding: gzip\r\n" + UPGRADE_FIELDS + text);
            String head = head(client);
            assertTrue(head.startsWith("HTTP/1.1 101 Switching Protocols\r\n"), head);
            assertFalse(head.contains("Content-Encoding"), head);
            assertEquals(text, exactly(client, text.length()));
            client.setSoLinger(true, 0);
            client.close();
            assertEvents("init", "destroy");
        }
    }

    @Test
    void theServletCanSendTheResponseHeadBeforeItCallsUpgrade() throws Exception {
        HttpServlet early = new HttpServlet() {
            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                response.setStatus(101);
                response.setHeader("Connection", "Upgrade");
                response.setHeader("Upgrade", "talk");
                response.flushBuffer();
                request.upgrade(Handler.class).events = events;
            }
        };
        try (Penstock server = server(early);
                Socket client = upgrade(server, "")) {
            assertTrue(head(client).startsWith("HTTP/1.1 101 "));
            assertEvents("init");
        }
    }

    @Test
    void upgradeThrowsAnExceptionIfTheRequestHasNoUpgradeField() throws Exception {
        HttpServlet trying = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                assertThrows(ServletException.class, () -> request.upgrade(Handler.class));
                response.getWriter().print("no");
            }
        };
        try (Penstock server = server(trying)) {
            assertEquals("no", RawExchange.get(server, "/talk").body());
        }
    }

    @Test
    void theClientGets500IfAServletSetsStatus101WithoutACallOfUpgrade() throws Exception {
        HttpServlet mistaken = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                response.setStatus(101);
            }
        };
        try (Penstock server = server(mistaken)) {
            assertEquals(500, RawExchange.get(server, "/talk").status());
        }
    }

    @Test
    void upgradeThrowsAnExceptionIfTheHandlerCannotBeCreated() throws Exception {
        HttpServlet trying = new HttpServlet() {
            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                assertThrows(ServletException.class, () -> request.upgrade(Impossible.class));
                request.upgrade(Handler.class);
                assertThrows(IllegalStateException.class, () -> request.upgrade(Handler.class));
                response.sendError(501);
            }
        };
        try (Penstock server = server(trying);
                Socket client = upgrade(server, "GET /talk HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")) {
            assertTrue(head(client).startsWith("HTTP/1.1 501 "));
            String rest = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertTrue(rest.contains("HTTP/1.1 405 "), rest); // the bytes after the first request are the next request
        }
    }

    @Test
    void theClientGets500IfTheServletFailsAfterItCallsUpgrade() throws Exception {
        HttpServlet failing = new HttpServlet() {
            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                request.upgrade(Handler.class).events = events;
                throw new ServletException("on purpose");
            }
        };
        try (Penstock server = server(failing);
                Socket client = upgrade(server, "")) {
            assertTrue(head(client).startsWith("HTTP/1.1 500 "));
        }
        assertTrue(events.isEmpty(), events.toString());
    }

    /** A handler of a part of the container. */
    public static final class OfPart implements ReleasedUpgradeHandler {
        private BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public void init(WebConnection connection) {
            events.add("init");
        }

        @Override
        public void destroy() {
            events.add("destroy");
        }

        @Override
        public void released() {
            events.add("released");
        }
    }

    @Test
    void aHandlerOfAPartIsReleasedAfterDestroyAndAlsoIfTheUpgradeFails() throws Exception {
        HttpServlet servlet = new HttpServlet() {
            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                request.upgrade(OfPart.class).events = events;
                if (request.getHeader("X-Fail") != null) {
                    throw new ServletException("on purpose");
                }
            }
        };
        try (Penstock server = server(servlet)) {
            try (Socket client = upgrade(server, "")) {
                assertTrue(head(client).startsWith("HTTP/1.1 101 "));
                assertEvents("init");
                client.setSoLinger(true, 0);
            }
            assertEvents("destroy", "released");
            try (Socket client = new Socket("127.0.0.1", server.port())) {
                client.setSoTimeout((int) PATIENCE.toMillis());
                send(client, "POST /talk HTTP/1.1\r\nX-Fail: yes\r\n" + UPGRADE_FIELDS);
                assertTrue(head(client).startsWith("HTTP/1.1 500 "));
            }
            assertEvents("released");
        }
        assertTrue(events.isEmpty(), events.toString());
    }

    @Test
    void anAsynchronousRequestIsUpgradedWhenItCompletes() throws Exception {
        HttpServlet later = new HttpServlet() {
            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                request.upgrade(Handler.class).events = events;
                var async = request.startAsync();
                async.start(async::complete);
            }
        };
        try (Penstock server = builder(later).start();
                Socket client = upgrade(server, "")) {
            assertTrue(head(client).startsWith("HTTP/1.1 101 "));
            assertEvents("init");
        }
    }

    /** The servlet returns on one worker while another worker completes the request. The upgrade must succeed nevertheless. */
    @Test
    void anAsynchronousUpgradeSucceedsIfItCompletesWhileTheServletReturns() throws Exception {
        Talk echo = connection ->
                connection.getOutputStream().write(connection.getInputStream().read());
        HttpServlet later = new HttpServlet() {
            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                Handler handler = request.upgrade(Handler.class);
                handler.talk = echo;
                handler.events = events;
                var async = request.startAsync();
                async.start(async::complete);
            }
        };
        try (Penstock server = builder(later).start()) {
            for (int i = 0; i < 300; i++) {
                try (Socket client = upgrade(server, "")) {
                    assertTrue(head(client).startsWith("HTTP/1.1 101 "));
                    send(client, "x");
                    assertEquals("x", exactly(client, 1), "the echo on connection " + i);
                }
            }
        }
    }

    // ---- end of connections

    @Test
    void closeSendsAllWrittenBytesAndThenClosesTheConnection() throws Exception {
        Talk closing = connection -> {
            ServletOutputStream out = connection.getOutputStream();
            out.write(new byte[200_000]);
            connection.close();
            connection.close();
            assertThrows(IOException.class, () -> out.write(1));
            assertThrows(IOException.class, () -> connection.getInputStream().read());
        };
        try (Penstock server = server(servlet(closing));
                Socket client = upgrade(server, "")) {
            head(client);
            assertEquals(200_000, client.getInputStream().readAllBytes().length);
            client.close();
            assertEvents("init", "destroy");
        }
    }

    @Test
    void aFailedHandlerIsDestroyedAndItsConnectionIsClosed() throws Exception {
        Talk failing = connection -> {
            throw new IllegalStateException("on purpose");
        };
        try (Penstock server = server(servlet(failing));
                Socket client = upgrade(server, "")) {
            head(client);
            assertEquals(-1, client.getInputStream().read());
            client.close();
            assertEvents("init", "destroy");
        }
    }

    @Test
    void onErrorIsCalledAndTheConnectionIsClosedIfAReadListenerFails() throws Exception {
        Talk failing = connection -> connection.getInputStream().setReadListener(new ReadListener() {
            @Override
            public void onDataAvailable() {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void onAllDataRead() {}

            @Override
            public void onError(Throwable t) {
                events.add(t.getMessage());
            }
        });
        try (Penstock server = server(servlet(failing));
                Socket client = upgrade(server, "x")) {
            head(client);
            assertEquals(-1, client.getInputStream().read());
            client.close();
            assertEvents("init", "on purpose", "destroy");
        }
    }

    @Test
    void aClosingServerCallsTheMethodOnAllDataReadAndThenTheMethodDestroy() throws Exception {
        Penstock server =
                server(servlet(connection -> connection.getInputStream().setReadListener(new Reading(connection))));
        try (Socket client = upgrade(server, "")) {
            head(client);
            assertEvents("init");
            Thread stopper = new Thread(server::close, "stopper");
            stopper.start();
            assertEvents("all read", "destroy");
            assertEquals(-1, client.getInputStream().read());
            stopper.join();
        }
    }

    @Test
    void initAndListenersRunWithTheClassLoaderOfTheApplication() throws Exception {
        ClassLoader own = new ClassLoader(getClass().getClassLoader()) {};
        Thread.currentThread().setContextClassLoader(own);
        BlockingQueue<ClassLoader> seen = new LinkedBlockingQueue<>();
        Talk looking = connection -> {
            seen.add(Thread.currentThread().getContextClassLoader());
            connection.getInputStream().setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    seen.add(Thread.currentThread().getContextClassLoader());
                    connection.getInputStream().close();
                }

                @Override
                public void onAllDataRead() {}

                @Override
                public void onError(Throwable t) {}
            });
        };
        try (Penstock server = server(servlet(looking));
                Socket client = upgrade(server, "x")) {
            head(client);
            for (int i = 0; i < 2; i++) {
                ClassLoader loader = seen.poll(60, TimeUnit.SECONDS);
                assertNotNull(loader);
                assertEquals(own, loader);
            }
        } finally {
            Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
        }
    }
}
