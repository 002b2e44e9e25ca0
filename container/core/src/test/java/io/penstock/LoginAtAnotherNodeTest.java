package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.AttributeTable;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests logins at two servers (nodes) with a common session store and without sticky sessions. The requests of one login reach both nodes,
 * and the user must be able to log in.
 */
class LoginAtAnotherNodeTest {
    private static final Pattern NONCE = Pattern.compile("nonce=\"([^\"]+)\"");
    private static final String SECRET = "a secret of thirty-two characters";

    private final Map<String, AttributeTable> tables = new HashMap<>();
    private Penstock one;
    private Penstock two;

    /** Writes the user, the method and the parameter {@code b} of the request. A GET request for {@code /save} gets 405. */
    private static final class Desk extends WhoServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            if ("/save".equals(request.getPathInfo()) && request.getMethod().equals("GET")) {
                response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
                return;
            }
            super.service(request, response);
            response.getWriter().print(" by " + request.getMethod() + " " + request.getParameter("b"));
        }
    }

    private Penstock node(String secret) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("digest-secret", secret)
                .realm(GivenRealm.annAndBob())
                .sessions(path -> tables.computeIfAbsent(path, context -> new AttributeTable()))
                .context("/app", context -> context.servlet("desk", new Desk(), "/desk/*")
                        .servlet("login", new LoginFormServlet("login"), "/login")
                        .servlet("wrong", new LoginFormServlet("wrong"), "/wrong")
                        .constrain("/desk/*", "staff")
                        .formLogin("/login", "/wrong"))
                .context("/office", context -> context.servlet("desk", new Desk(), "/*")
                        .constrain("/*", "staff")
                        .digestLogin("office"))
                .context("/archive", context -> context.servlet("desk", new Desk(), "/*")
                        .constrain("/*", "staff")
                        .digestLogin("office"))
                .start();
    }

    private void start(String secret) throws StartException {
        one = node(secret);
        two = node(secret);
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    private static RawExchange get(Penstock node, String target, String session) throws IOException {
        return RawExchange.get(node, "/app" + target, "Cookie: JSESSIONID=" + session);
    }

    private static RawExchange post(Penstock node, String target, String session, String form) throws IOException {
        return RawExchange.of(
                node,
                "POST /app" + target + " HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\nCookie: JSESSIONID="
                        + session + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                        + form.length() + "\r\n\r\n" + form);
    }

    private static RawExchange login(Penstock node, String session, String password) throws IOException {
        return post(node, "/desk/j_security_check", session, "j_username=ann&j_password=" + password);
    }

    private static String session(RawExchange answer) {
        List<String> cookies = answer.values("Set-Cookie");
        assertEquals(1, cookies.size(), answer.text());
        return cookies.get(0).substring("JSESSIONID=".length(), cookies.get(0).indexOf(';'));
    }

    /** Returns the field {@code Location} of a redirect. */
    private static String location(RawExchange led) {
        assertEquals(303, led.status(), led.text());
        return led.values("Location").get(0);
    }

    @Test
    void aFormLoginAtAnotherNodeRedirectsToTheRequestedPage() throws Exception {
        start("none");
        RawExchange form = get(one, "/desk/a%20b?b=1", "");
        assertEquals("login for null", form.body());
        String session = session(form);
        assertEquals("wrong for null", login(two, session, "wrong").body());
        RawExchange led = login(two, session, "secret");
        assertEquals("http://good.example/app/desk/a%20b?b=1", location(led));
        assertEquals(
                "reached by ann/ann/FORM/staff=true by GET 1",
                get(one, "/desk/a%20b?b=1", session(led)).body());
    }

    @Test
    void aFormLoginRedirectsToTheLastRequestedPage() throws Exception {
        start("none");
        String session = session(get(one, "/desk/first", ""));
        assertEquals(200, get(two, "/desk/second", session).status());
        assertEquals("http://good.example/app/desk/second", location(login(one, session, "secret")));
    }

    @Test
    void aFormLoginAtAnotherNodeRedirectsToTheRootIfTheRequestedPathIsTooLong() throws Exception {
        start("none");
        String target = "/desk/" + "x".repeat(600);
        String session = session(get(one, target, ""));
        assertEquals("http://good.example/app/", location(login(two, session, "secret")));
    }

    @Test
    void aSavedPostRequestIsLostIfTheUserLogsInAtAnotherNode() throws Exception {
        start("none");
        String session = session(post(one, "/desk/save", "", "b=2"));
        RawExchange led = login(two, session, "secret");
        assertEquals("http://good.example/app/", location(led));
        assertEquals(
                "reached by ann/ann/FORM/staff=true by GET null",
                get(one, "/desk/list", session(led)).body());
    }

    @Test
    void aSavedPostRequestIsLostIfTheClientFollowsTheRedirectAtAnotherNode() throws Exception {
        start("none");
        RawExchange led = login(one, session(post(one, "/desk/save", "", "b=2")), "secret");
        assertEquals("http://good.example/app/desk/save", location(led));
        String session = session(led);
        RawExchange followed = get(two, "/desk/save", session);
        assertEquals("http://good.example/app/", location(followed));
        // The user requests the page again. The server must not replace this GET request by the saved POST request.
        assertEquals(405, get(two, "/desk/save", session).status());
    }

    @Test
    void aSavedPostRequestIsRepeatedIfTheClientFollowsTheRedirectAtTheSameNode() throws Exception {
        start("none");
        RawExchange led = login(one, session(post(one, "/desk/save", "", "b=2")), "secret");
        String session = session(led);
        assertEquals(
                "reached by ann/ann/FORM/staff=true by POST 2",
                get(one, "/desk/save", session).body());
        assertEquals(405, get(two, "/desk/save", session).status());
    }

    @Test
    void aDigestNonceOfAnotherNodeIsStaleWithoutASharedSecret() throws Exception {
        start("none");
        String nonce = nonce(RawExchange.get(one, "/office/"));
        for (int i = 1; i <= 20; i++) {
            RawExchange asked = RawExchange.get(two, "/office/", proof(nonce, i, "/office/"));
            assertTrue(asked.values("WWW-Authenticate").get(0).contains("stale=true"), asked.text());
            String fresh = nonce(asked);
            assertEquals(
                    200,
                    RawExchange.get(two, "/office/", proof(fresh, 1, "/office/"))
                            .status());
        }
    }

    @Test
    void eachNodeAcceptsTheDigestNoncesOfTheOtherNodeIfTheNodesShareASecret() throws Exception {
        start(SECRET);
        String nonce = nonce(RawExchange.get(one, "/office/"));
        for (int i = 1; i <= 10; i++) {
            Penstock node = i % 2 == 0 ? one : two;
            String proof = proof(nonce, i, "/office/");
            assertEquals(200, RawExchange.get(node, "/office/", proof).status());
            assertEquals(401, RawExchange.get(node, "/office/", proof).status());
        }
        assertEquals(
                401,
                RawExchange.get(one, "/archive/", proof(nonce, 11, "/archive/")).status());
        assertFalse(one.dump().contains(SECRET));
    }

    private static String nonce(RawExchange asked) {
        assertEquals(401, asked.status(), asked.text());
        Matcher nonce = NONCE.matcher(asked.values("WWW-Authenticate").get(0));
        assertTrue(nonce.find(), asked.text());
        return nonce.group(1);
    }

    private static String proof(String nonce, int count, String uri) throws GeneralSecurityException {
        String nc = "%08x".formatted(count);
        String response =
                hash(hash("ann:office:secret") + ":" + nonce + ":" + nc + ":c0ffee:auth:" + hash("GET:" + uri));
        return "Authorization: Digest username=\"ann\", realm=\"office\", nonce=\"" + nonce + "\", uri=\"" + uri
                + "\", algorithm=SHA-256, nc=" + nc + ", cnonce=\"c0ffee\", qop=auth, response=\"" + response + "\"";
    }

    private static String hash(String text) throws GeneralSecurityException {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
