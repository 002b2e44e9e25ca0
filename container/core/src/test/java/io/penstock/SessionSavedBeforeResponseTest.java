package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.store.AttributeTable;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.IOException;
import java.io.Serializable;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The server must save the session changes of a request before the client gets the response. The next request of the client can go to
 * another server, or to the same server after a crash.
 */
class SessionSavedBeforeResponseTest {
    private static final AttributeTable STORE = new AttributeTable();

    private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

    /** The code of a servlet. */
    private interface Service {
        void serve(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    private static Penstock start(Service service) throws StartException {
        HttpServlet servlet = new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                try {
                    service.serve(request, response);
                } catch (IOException | RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IOException(e);
                }
            }
        };
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .sessions(path -> STORE)
                .context("/", context -> context.servlet("servlet", servlet, "/a"))
                .start();
    }

    @Test
    void sessionChangesAfterSendRedirectAreSavedBeforeTheResponseIsSent() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (Penstock server = start((request, response) -> {
            HttpSession session = request.getSession();
            response.sendRedirect("/b");
            seen.add("answered " + answered.await(300, TimeUnit.MILLISECONDS));
            session.setAttribute("late", "value");
            seen.add(session.getId());
        })) {
            try (Socket client = new Socket("127.0.0.1", server.port())) {
                client.setSoTimeout(60_000);
                client.getOutputStream()
                        .write("GET /a HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                String begins = new String(client.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
                answered.countDown();
                assertEquals("HTTP/1.1 302", begins);
            }
            assertEquals(
                    "answered false",
                    seen.poll(60, TimeUnit.SECONDS),
                    "the client must not get the response before the servlet has returned");
            assertEquals(1, STORE.version((String) seen.poll(60, TimeUnit.SECONDS)));
        }
    }

    @Test
    void aFlushOfTheResponseSavesThePrecedingSessionChanges() throws Exception {
        try (Penstock server = start((request, response) -> {
            HttpSession session = request.getSession();
            session.setAttribute("a", "1");
            response.getOutputStream().print("a");
            seen.add(STORE.version(session.getId()));
            response.flushBuffer();
            seen.add(STORE.version(session.getId()));
            response.getOutputStream().print("b");
            response.flushBuffer();
            seen.add(STORE.version(session.getId()));
            session.setAttribute("a", "2");
            response.getOutputStream().close();
            seen.add(STORE.version(session.getId()));
            seen.add(session.getId());
        })) {
            assertEquals(200, RawExchange.get(server, "/a").status());
            for (long version : new long[] {0, 1, 1, 2}) {
                assertEquals(version, seen.poll(60, TimeUnit.SECONDS));
            }
            server.close();
            assertEquals(
                    2, STORE.version((String) seen.poll(60, TimeUnit.SECONDS)), "the session must not be saved again");
        }
    }

    @Test
    void aBodyLargerThanTheBufferSavesThePrecedingSessionChanges() throws Exception {
        try (Penstock server = start((request, response) -> {
            HttpSession session = request.getSession();
            session.setAttribute("a", "1");
            while (!response.isCommitted()) {
                response.getOutputStream().write(new byte[1000]);
            }
            seen.add(STORE.version(session.getId()));
        })) {
            assertEquals(200, RawExchange.get(server, "/a").status());
            assertEquals(1L, seen.poll(60, TimeUnit.SECONDS));
        }
    }

    /** A session attribute that records its notifications: {@code out} for a passivation, {@code in} for an activation. */
    private static final class RecordingAttribute implements HttpSessionActivationListener, Serializable {
        private static final long serialVersionUID = 1L;
        private static final List<String> EVENTS = new CopyOnWriteArrayList<>();

        @Override
        public void sessionWillPassivate(HttpSessionEvent event) {
            EVENTS.add("out");
        }

        @Override
        public void sessionDidActivate(HttpSessionEvent event) {
            EVENTS.add("in");
        }
    }

    @Test
    void sessionAttributesAreNotifiedOfPassivationAndActivation() throws Exception {
        RecordingAttribute.EVENTS.clear();
        try (Penstock server = start((request, response) -> {
            request.getSession().setAttribute("recording", new RecordingAttribute());
            response.flushBuffer();
            seen.add(List.copyOf(RecordingAttribute.EVENTS));
        })) {
            assertEquals(200, RawExchange.get(server, "/a").status());
            assertEquals(List.of("out", "in"), seen.poll(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void anInvalidatedSessionIsNotSavedAgain() throws Exception {
        try (Penstock server = start((request, response) -> {
            HttpSession session = request.getSession();
            session.setAttribute("a", "1");
            response.flushBuffer();
            seen.add(session.getId());
            session.invalidate();
            response.getOutputStream().close();
        })) {
            assertEquals(200, RawExchange.get(server, "/a").status());
            assertEquals(0, STORE.version((String) seen.poll(60, TimeUnit.SECONDS)));
        }
    }
}
