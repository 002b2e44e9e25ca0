package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.AttributeTable;
import io.penstock.store.SessionStore;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the responses of the server while the session store is unavailable or does not respond. */
class SessionStoreFailureTest {
    private final AttributeTable table = new AttributeTable();
    private final CountDownLatch release = new CountDownLatch(1);
    private volatile StoreState storeState = StoreState.NORMAL;

    /** Whether the store responds to a call or blocks the call. */
    private enum StoreState {
        NORMAL,
        BLOCKED
    }

    /** Sends the head of the response, then changes the session, and then makes the store unavailable. */
    private final class Late extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            response.getWriter().print("begun");
            response.flushBuffer();
            session.setAttribute("late", "value");
            table.goAway();
        }
    }

    private static final class Plain extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("plain");
        }
    }

    /** An error page that uses the session, like every JSP by default. */
    private static final class ErrorPage extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("sorry, " + request.getSession());
        }
    }

    private SessionStore store() {
        return (SessionStore) Proxy.newProxyInstance(
                SessionStore.class.getClassLoader(),
                new Class<?>[] {SessionStore.class},
                (proxy, method, arguments) -> {
                    if (storeState == StoreState.BLOCKED) {
                        assertTrue(release.await(60, TimeUnit.SECONDS));
                    }
                    try {
                        return method.invoke(table, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Penstock start(int workers) throws StartException {
        SessionStore store = store();
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(workers)
                .sessions(path -> store)
                .context("/", context -> context.servlet("counting", new CountingVisits(), "/count", "/early")
                        .servlet("late", new Late(), "/late")
                        .servlet("plain", new Plain(), "/plain")
                        .servlet("error", new ErrorPage(), "/error")
                        .errorPage(503, "/error"))
                .start();
    }

    @AfterEach
    void end() {
        release.countDown();
    }

    private static RawExchange getWithSession(Penstock server, String path, String id) throws IOException {
        return RawExchange.get(server, path, "Cookie: JSESSIONID=" + id);
    }

    private static String newSession(Penstock server) throws IOException {
        return RawExchange.get(server, "/count").body().split(" ", -1)[0];
    }

    private static void assertUnavailable(RawExchange response) {
        assertEquals(503, response.status(), response.text());
        assertEquals(List.of("1"), response.values("Retry-After"));
        assertFalse(response.text().contains("Exception"), response.text());
    }

    @Test
    void onlyRequestsWithASessionGet503WhileTheStoreIsUnavailable() throws Exception {
        try (Penstock server = start(2)) {
            String id = newSession(server);
            table.goAway();
            assertUnavailable(getWithSession(server, "/count", id));
            assertUnavailable(getWithSession(server, "/early", id));
            assertEquals("plain", RawExchange.get(server, "/plain").body());
            table.comeBack();
            assertEquals(id + " 2", getWithSession(server, "/count", id).body());
        }
    }

    @Test
    void noSessionCookieIsSentIfTheStoredSessionCannotBeRead() throws Exception {
        try (Penstock server = start(2)) {
            String id = newSession(server);
            table.goAway();
            assertEquals(List.of(), getWithSession(server, "/count", id).values("Set-Cookie"));
        }
    }

    @Test
    void aRequestGets503IfItsSessionChangesCannotBeSaved() throws Exception {
        try (Penstock server = start(2)) {
            table.goAway();
            RawExchange response = RawExchange.get(server, "/count");
            assertUnavailable(response);
            assertUnavailable(RawExchange.get(server, "/early"));
            table.comeBack();
            String id = newSession(server);
            assertEquals(id + " 2", getWithSession(server, "/count", id).body());
            assertEquals(2, server.counters().get("sessions-not-saved"));
        }
    }

    @Test
    void theResponseIsAbortedIfASessionChangeAfterTheFlushCannotBeSaved() throws Exception {
        try (Penstock server = start(2)) {
            String id = newSession(server);
            RawExchange response = getWithSession(server, "/late", id);
            assertEquals(200, response.status());
            assertTrue(response.body().contains("begun"), response.text());
            assertFalse(response.body().endsWith("0\r\n\r\n"), response.text());
            table.comeBack();
            assertEquals(id + " 2", getWithSession(server, "/count", id).body());
        }
    }

    @Test
    void aChangeInsideAMutableAttributeIsSavedWithoutSetAttribute() throws Exception {
        try (Penstock server = start(2)) {
            String id = newSession(server);
            assertEquals(id + " 2", getWithSession(server, "/early", id).whole());
            assertEquals(2, table.version(id));
        }
    }

    @Test
    void atMostHalfOfTheWorkersAreBlockedIfTheStoreDoesNotRespond() throws Exception {
        try (Penstock server = start(4)) {
            String id = newSession(server);
            List<Socket> clients = new ArrayList<>();
            storeState = StoreState.BLOCKED;
            try {
                for (int i = 0; i < 8; i++) {
                    clients.add(RawExchange.begin(
                            server,
                            "GET /count HTTP/1.1\r\nHost: good.example\r\nCookie: JSESSIONID=" + id
                                    + "\r\nConnection: close\r\n\r\n"));
                }
                Awaitility.await().until(() -> server.counters().get("session-store-refused") == 6);
                assertEquals("plain", RawExchange.get(server, "/plain").body());
                assertUnavailable(getWithSession(server, "/count", id));
            } finally {
                storeState = StoreState.NORMAL;
                release.countDown();
            }
            int answered = 0;
            for (Socket client : clients) {
                try (client) {
                    String response = new String(client.getInputStream().readAllBytes());
                    answered += response.startsWith("HTTP/1.1 200") ? 1 : 0;
                }
            }
            assertEquals(2, answered);
            assertNotNull(id);
            assertEquals(id + " 4", getWithSession(server, "/count", id).body());
        }
    }
}
