package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A base class for tests of upgraded connections. Its servlet upgrades the connection, and the upgrade handler runs code of the test. */
abstract class UpgradeFixture {
    static final Duration PATIENCE = PromptWaits.PATIENCE;
    static final String UPGRADE_FIELDS = "Host: x\r\nConnection: Upgrade\r\nUpgrade: talk\r\n\r\n";

    final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    /** The code that a test gives to the upgrade handler. */
    interface Talk {
        void with(WebConnection connection) throws Exception;
    }

    /** An upgrade handler that records its calls. The container creates the handler, and then the servlet sets the code of the test. */
    public static final class Handler implements HttpUpgradeHandler {
        Talk talk = connection -> {};
        BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public void init(WebConnection connection) {
            events.add("init");
            try {
                talk.with(connection);
            } catch (IOException e) {
                events.add("failed: " + e.getMessage());
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void destroy() {
            events.add("destroy");
        }
    }

    /** An upgrade handler that the container cannot create, because the constructor is private. */
    public static final class Impossible implements HttpUpgradeHandler {
        private Impossible() {}

        @Override
        public void init(WebConnection connection) {}

        @Override
        public void destroy() {}
    }

    HttpServlet servlet(Talk talk) {
        return new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                Handler handler = request.upgrade(Handler.class);
                handler.talk = talk;
                handler.events = events;
                response.setHeader("Upgrade", "talk");
            }
        };
    }

    static Penstock server(HttpServlet servlet) throws StartException {
        return builder(servlet).start();
    }

    static Penstock.Builder builder(HttpServlet servlet) {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2).context("/", context -> context.servlet(
                        "talk", servlet, "/talk")
                .filter(
                        "around",
                        (request, response, chain) -> {
                            chain.doFilter(request, response);
                            ((HttpServletResponse) response).setHeader("X-After", "filter");
                        },
                        "/*"));
    }

    static Socket upgrade(Penstock server, String behind) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        send(socket, "POST /talk HTTP/1.1\r\n" + UPGRADE_FIELDS + behind);
        return socket;
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            assertTrue(c >= 0, "the connection ended before the end of the response head: " + head);
            head.append((char) c);
        }
        return head.toString();
    }

    static String exactly(Socket socket, int count) throws IOException {
        return new String(socket.getInputStream().readNBytes(count), StandardCharsets.ISO_8859_1);
    }

    void assertEvents(String... expected) throws InterruptedException {
        for (String one : expected) {
            assertEquals(one, events.poll(60, TimeUnit.SECONDS));
        }
    }

    /** A read listener that records all bytes, and closes the connection at the end of the input. */
    final class Reading implements ReadListener {
        private final WebConnection connection;
        private final ServletInputStream in;

        Reading(WebConnection connection) throws IOException {
            this.connection = connection;
            this.in = connection.getInputStream();
        }

        @Override
        public void onDataAvailable() throws IOException {
            StringBuilder text = new StringBuilder();
            byte[] buffer = new byte[16];
            while (in.isReady()) {
                int n = in.read(buffer);
                if (n < 0) {
                    break;
                }
                text.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
            events.add(text.toString());
        }

        @Override
        public void onAllDataRead() throws IOException {
            events.add("all read");
            try {
                connection.close();
            } catch (Exception e) {
                throw new IOException(e);
            }
        }

        @Override
        public void onError(Throwable t) {
            events.add("read error");
        }
    }
}
