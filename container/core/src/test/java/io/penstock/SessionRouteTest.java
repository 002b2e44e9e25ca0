package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.AttributeTable;
import io.penstock.store.SessionStores;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the setting {@code session-route} with two servers (nodes) and one session store. The session cookie contains the session id, a dot
 * and the name of a node.
 */
class SessionRouteTest {
    private final AttributeTable table = new AttributeTable();
    private Penstock one;
    private Penstock two;

    /** Runs the action that the request path names. Then writes the session data that an application can read. */
    private static final class SessionServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getServletPath()) {
                case "/begin" -> request.getSession();
                case "/rename" -> request.changeSessionId();
                case "/flush" -> response.flushBuffer();
                case "/page" -> {
                    response.getWriter().print("a page without a session");
                    return;
                }
                default -> assertEquals("/tell", request.getServletPath());
            }
            HttpSession session = request.getSession(false);
            response.getWriter()
                    .print(String.join(
                            " ",
                            session == null ? "none" : session.getId(),
                            String.valueOf(request.getRequestedSessionId()),
                            String.valueOf(request.isRequestedSessionIdValid()),
                            response.encodeURL("next")));
        }
    }

    private Penstock node(String name, String route) throws StartException {
        SessionStores stores = path -> table;
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("node-name", name)
                .set("session-route", route)
                .sessions(stores)
                .context(
                        "/",
                        context -> context.servlet(
                                "session", new SessionServlet(), "/begin", "/rename", "/flush", "/page", "/tell"))
                .start();
    }

    @BeforeEach
    void start() throws StartException {
        one = node("node1", "on");
        two = node("node2", "on");
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    private static RawExchange get(Penstock node, String target, String cookie) throws IOException {
        return RawExchange.get(node, target, "Cookie: JSESSIONID=" + cookie);
    }

    /** Returns the value of the session cookie in the response. */
    private static String cookie(RawExchange answer) {
        List<String> lines = answer.values("Set-Cookie");
        assertEquals(1, lines.size(), answer.text());
        return lines.get(0).substring("JSESSIONID=".length(), lines.get(0).indexOf(';'));
    }

    private String beginSession() throws IOException {
        return cookie(RawExchange.get(one, "/begin"));
    }

    private static String id(String cookie) {
        return cookie.substring(0, cookie.indexOf('.'));
    }

    @Test
    void theNodeNameIsInTheCookieAndInUrlsButNotInTheIdThatTheApplicationSees() throws IOException {
        RawExchange begun = RawExchange.get(one, "/begin");
        String cookie = cookie(begun);
        String id = id(cookie);
        assertEquals(id + ".node1", cookie);
        assertEquals(id + " null false next;jsessionid=" + id + ".node1", begun.body());
    }

    @Test
    void theCookieIsNotSentAgainByTheNodeThatCreatedTheSession() throws IOException {
        String cookie = beginSession();
        String id = id(cookie);
        RawExchange again = get(one, "/tell", cookie);
        assertEquals(id + " " + id + " true next", again.body());
        assertEquals(List.of(), again.values("Set-Cookie"));
    }

    @Test
    void anotherNodeContinuesTheSessionAndSendsANewCookie() throws IOException {
        String cookie = beginSession();
        String id = id(cookie);
        RawExchange moved = get(two, "/tell", cookie);
        assertEquals(id + " " + id + " true next", moved.body());
        assertEquals(id + ".node2", cookie(moved));
        assertEquals(List.of(), get(two, "/tell", id + ".node2").values("Set-Cookie"));
    }

    @Test
    void sessionIdsWithoutANodeNameOrWithAnUnknownNodeNameAreAccepted() throws IOException {
        String id = id(beginSession());
        for (String sent : List.of(id, id + ".", id + ".node7", id + ".web1.example.org")) {
            RawExchange told = get(one, "/tell", sent);
            assertEquals(id + " " + id + " true next", told.body(), sent);
            assertEquals(id + ".node1", cookie(told), sent);
        }
    }

    @Test
    void aSessionIdInTheUrlIsAcceptedWithoutACookie() throws IOException {
        String id = id(beginSession());
        RawExchange told = RawExchange.get(two, "/tell;jsessionid=" + id + ".node1");
        assertEquals(id + " " + id + " true next;jsessionid=" + id + ".node2", told.body());
        assertEquals(List.of(), told.values("Set-Cookie"));
    }

    @Test
    void anUnknownSessionIdIsInvalid() throws IOException {
        RawExchange told = get(one, "/tell", "unknown.node1");
        assertEquals("none unknown false next", told.body());
        assertEquals(List.of(), told.values("Set-Cookie"));
    }

    @Test
    void noCookieIsSentIfTheServletDoesNotUseTheSession() throws IOException {
        assertEquals(List.of(), get(two, "/page", beginSession()).values("Set-Cookie"));
    }

    @Test
    void noCookieIsSentIfTheResponseIsCommittedBeforeTheSessionIsUsed() throws IOException {
        String cookie = beginSession();
        RawExchange told = get(two, "/flush", cookie);
        assertTrue(told.body().contains(id(cookie) + " " + id(cookie) + " true"), told.text());
        assertEquals(List.of(), told.values("Set-Cookie"));
    }

    @Test
    void aChangedSessionIdIsSentWithTheNameOfTheCurrentNode() throws IOException {
        String before = beginSession();
        RawExchange renamed = get(two, "/rename", before);
        String after = cookie(renamed);
        assertTrue(after.endsWith(".node2"), after);
        assertNotEquals(id(before), id(after));
        assertEquals(id(after) + " " + id(before) + " false next", renamed.body());
        assertTrue(get(one, "/tell", after).body().startsWith(id(after) + " " + id(after) + " true"));
    }

    @Test
    void aNodeWithSessionRouteOffAcceptsNodeNamesAndSendsCookiesWithoutNodeNames() throws Exception {
        String cookie = beginSession();
        String id = id(cookie);
        try (Penstock plain = node("node3", "off")) {
            RawExchange told = get(plain, "/tell", cookie);
            assertEquals(id + " " + id + " true next", told.body());
            assertEquals(List.of(), told.values("Set-Cookie"));
            assertTrue(cookie(RawExchange.get(plain, "/begin")).indexOf('.') < 0);
        }
    }
}
