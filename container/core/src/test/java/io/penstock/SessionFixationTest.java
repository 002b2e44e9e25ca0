package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only the server creates session ids. The login changes the session id, and the old session id is then invalid. */
class SessionFixationTest {
    private static final String INVENTED = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

    private Penstock server;

    /** Writes the session id. {@code /begin} creates a session, and {@code /login} changes the session id. */
    private static final class Login extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String path = request.getServletPath();
            HttpSession session = request.getSession(path.equals("/begin"));
            if (path.equals("/login")) {
                request.changeSessionId();
            }
            response.getWriter().print(session == null ? "none" : session.getId());
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.servlet("login", new Login(), "/begin", "/login", "/show"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String show(String id) throws IOException {
        return RawExchange.get(server, "/show", "Cookie: JSESSIONID=" + id).body();
    }

    @Test
    void theServerDoesNotUseASessionIdThatTheClientInvents() throws IOException {
        for (RawExchange begun : List.of(
                RawExchange.get(server, "/begin", "Cookie: JSESSIONID=" + INVENTED),
                RawExchange.get(server, "/begin;jsessionid=" + INVENTED),
                RawExchange.get(server, "/begin;jsessionid=" + INVENTED, "Cookie: JSESSIONID=" + INVENTED))) {
            assertNotEquals(INVENTED, begun.body());
            assertTrue(begun.values("Set-Cookie").get(0).startsWith("JSESSIONID=" + begun.body() + ";"), begun.text());
            assertTrue(begun.values("Set-Cookie").get(0).contains("; HttpOnly"), begun.text());
        }
        assertEquals("none", show(INVENTED));
        assertEquals(
                "none", RawExchange.get(server, "/show;jsessionid=" + INVENTED).body());
    }

    @Test
    void theOldSessionIdIsInvalidAfterTheLogin() throws IOException {
        String before = RawExchange.get(server, "/begin").body();
        assertEquals(before, show(before));
        RawExchange login = RawExchange.get(server, "/login", "Cookie: JSESSIONID=" + before);
        String after = login.body();
        assertNotEquals(before, after);
        assertTrue(login.values("Set-Cookie").get(0).startsWith("JSESSIONID=" + after + ";"), login.text());
        assertEquals("none", show(before));
        assertEquals(after, show(after));
    }

    @Test
    void aValidSessionIdIsUsedEvenIfTheRequestAlsoHasAnInvalidSessionId() throws IOException {
        String valid = RawExchange.get(server, "/begin").body();
        assertEquals(valid, show(INVENTED + "; JSESSIONID=" + valid));
        assertEquals(valid, show(valid + "; JSESSIONID=" + INVENTED));
        assertEquals(
                valid,
                RawExchange.get(server, "/show;jsessionid=" + INVENTED, "Cookie: JSESSIONID=" + valid)
                        .body());
    }
}
