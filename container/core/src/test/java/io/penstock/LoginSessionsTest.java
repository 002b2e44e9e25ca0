package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the sessions that the server makes for clients without a cookie, to show them a login form. These sessions must not take the places
 * of sessions that are in use. All requests come from a trusted proxy, which names the client's address.
 */
class LoginSessionsTest {
    private static final int WAITING = 8;
    private static final int SHARE = 2;
    private static final int USUAL = 3;
    private static final String HONEST = "192.0.2.1";
    private static final String ATTACKER = "203.0.113.1";

    private final AtomicInteger ended = new AtomicInteger();
    private Penstock server;

    /** Uses the session as the path says, and writes its id and maximum inactive interval. */
    private static final class Shop extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession(!request.getServletPath().equals("/look"));
            if (request.getServletPath().equals("/fill")) {
                session.setAttribute("cart", "full");
            }
            response.getWriter().print(session == null ? "none" : session.getMaxInactiveInterval());
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("trusted-proxies", "127.0.0.1")
                .set("max-sessions", Integer.toString(USUAL))
                .set("max-login-sessions", Integer.toString(WAITING))
                .set("form-login-timeout", "5m")
                .realm(GivenRealm.annAndBob())
                .context("/app", context -> context.servlet("desk", new WhoServlet(), "/desk/*")
                        .servlet("shop", new Shop(), "/get", "/look", "/fill")
                        // Like a JSP page, this form gets a session.
                        .servlet("form", new Shop(), "/form")
                        .listener(new HttpSessionListener() {
                            @Override
                            public void sessionDestroyed(HttpSessionEvent event) {
                                ended.incrementAndGet();
                            }
                        })
                        .constrain("/desk/*", "staff")
                        .formLogin("/form", "/form"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawExchange get(String client, String path, String session) throws IOException {
        return RawExchange.get(server, "/app" + path, "X-Forwarded-For: " + client, "Cookie: JSESSIONID=" + session);
    }

    /** Requests a page that needs a login, without a session. Returns the session. */
    private String askForLogin(String client) throws IOException {
        RawExchange form = RawExchange.get(server, "/app/desk/page", "X-Forwarded-For: " + client);
        assertEquals(200, form.status());
        return session(form);
    }

    private RawExchange login(String client, String session) throws IOException {
        String form = "j_username=ann&j_password=secret";
        return RawExchange.of(
                server,
                "POST /app/j_security_check HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: " + client
                        + "\r\nCookie: JSESSIONID=" + session
                        + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n" + form);
    }

    private static String session(RawExchange answer) {
        List<String> cookies = answer.values("Set-Cookie");
        assertEquals(1, cookies.size(), answer.text());
        return cookies.get(0).substring("JSESSIONID=".length(), cookies.get(0).indexOf(';'));
    }

    private boolean exists(String session) throws IOException {
        return !get(HONEST, "/look", session).body().equals("none");
    }

    private void assertCounts(int usual, int waiting) {
        assertEquals(usual, server.gauges().get("sessions"));
        assertEquals(waiting, server.gauges().get("login-sessions"));
    }

    @Test
    void aFloodOfRequestsForALoginFormTakesNoPlaceOfMaxSessions() throws IOException {
        for (int i = 0; i < 10 * WAITING; i++) {
            askForLogin("198.51.100." + i);
        }
        assertCounts(0, WAITING);
        assertEquals(9 * WAITING, server.counters().get("login-sessions-dropped"));
        assertEquals(9 * WAITING, ended.get());
        for (int i = 0; i < USUAL; i++) {
            assertEquals(200, get(HONEST, "/get", "").status());
        }
        assertEquals(503, get(HONEST, "/get", "").status());
        askForLogin(HONEST);
        assertCounts(USUAL, WAITING);
    }

    @Test
    void theOldestSessionOfAnAddressEndsIfTheAddressHasItsShare() throws IOException {
        String honest = askForLogin(HONEST);
        List<String> flood = new ArrayList<>();
        for (int i = 0; i < 3 * WAITING; i++) {
            flood.add(askForLogin(ATTACKER));
        }
        assertCounts(0, 1 + SHARE);
        for (int i = 0; i < flood.size(); i++) {
            assertEquals(i >= flood.size() - SHARE, exists(flood.get(i)), "session " + i);
        }
        RawExchange led = login(HONEST, honest);
        assertEquals(List.of("http://a/app/desk/page"), led.values("Location"));
        assertEquals(200, get(HONEST, "/desk/page", session(led)).status());
        assertCounts(1, SHARE);
    }

    @Test
    void aUserCanLogInEvenIfTheWaitingSessionHasEnded() throws IOException {
        String honest = askForLogin(HONEST);
        for (int i = 0; i < WAITING; i++) {
            askForLogin("198.51.100." + i);
        }
        assertFalse(exists(honest));
        RawExchange led = login(HONEST, honest);
        assertEquals(List.of("http://a/app/"), led.values("Location"));
        assertEquals(200, get(HONEST, "/desk/page", session(led)).status());
    }

    @Test
    void aLoginMakesAWaitingSessionAUsualOne() throws IOException {
        String waiting = askForLogin(HONEST);
        assertEquals("300", get(HONEST, "/look", waiting).body());
        String session = session(login(HONEST, waiting));
        assertNotEquals(waiting, session);
        assertCounts(1, 0);
        assertEquals("1800", get(HONEST, "/look", session).body());
        get(HONEST, "/get", "");
        get(HONEST, "/get", "");
        String further = askForLogin(HONEST);
        assertEquals(503, login(HONEST, further).status());
        assertCounts(USUAL, 1);
    }

    @Test
    void aSessionThatTheApplicationUsesBecomesAUsualOne() throws IOException {
        String looked = askForLogin(HONEST);
        assertEquals("300", get(HONEST, "/look", looked).body());
        assertCounts(0, 1);
        String got = askForLogin(HONEST);
        assertEquals("1800", get(HONEST, "/get", got).body());
        assertCounts(1, 1);
        String filled = askForLogin(HONEST);
        assertEquals("1800", get(HONEST, "/fill", filled).body());
        assertCounts(2, 1);
        for (int i = 0; i < 2 * WAITING; i++) {
            askForLogin("198.51.100." + i);
        }
        assertCounts(2, WAITING);
        assertEquals(List.of(false, true, true), List.of(exists(looked), exists(got), exists(filled)));
    }

    @Test
    void theLoginFormItselfDoesNotUseTheSession() throws IOException {
        String waiting = askForLogin(HONEST);
        assertEquals("300", get(HONEST, "/desk/page", waiting).body());
        String form = "j_username=ann&j_password=wrong";
        RawExchange failed = RawExchange.of(
                server,
                "POST /app/j_security_check HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: JSESSIONID=" + waiting
                        + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n" + form);
        assertEquals("300", failed.body());
        assertCounts(0, 1);
    }

    @Test
    void aSessionGoesOnWaitingIfTheApplicationMayHaveNoFurtherSession() throws IOException {
        for (int i = 0; i < USUAL; i++) {
            get(HONEST, "/get", "");
        }
        String waiting = askForLogin(HONEST);
        assertEquals(503, get(HONEST, "/fill", waiting).status());
        assertEquals("300", get(HONEST, "/look", waiting).body());
        assertCounts(USUAL, 1);
    }
}
