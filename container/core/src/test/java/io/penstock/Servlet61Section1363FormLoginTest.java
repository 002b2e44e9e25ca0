package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the form login over real sockets. The server saves a request that needs a login, and replays the request after the login. */
class Servlet61Section1363FormLoginTest {
    private static final int SAVED_LIMIT = 2000;

    private final Desk desk = new Desk();
    private Penstock server;

    /** Writes the user, method, URI, parameters, some header fields, and the body of the request. */
    private static final class Desk extends WhoServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            super.service(request, response);
            List<String> told = new ArrayList<>(List.of(
                    request.getMethod(),
                    request.getRequestURI(),
                    String.valueOf(request.getQueryString()),
                    String.valueOf(request.getHeader("X-Mine")),
                    String.valueOf(request.getHeader("If-None-Match"))));
            if (String.valueOf(request.getContentType()).startsWith("text/")) {
                byte[] body = request.getInputStream().readAllBytes();
                told.add(body.length + " bytes " + Arrays.hashCode(body));
            } else {
                request.getParameterMap().forEach((name, values) -> told.add(name + "=" + String.join("+", values)));
            }
            response.getWriter().print(" | " + String.join(" | ", told));
        }
    }

    /** Logs the user out at {@code /logout}, begins a session at {@code /begin}, and writes the logged-in user. */
    private static final class OpenServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            if (request.getServletPath().equals("/logout")) {
                request.logout();
            } else if (request.getServletPath().equals("/begin")) {
                request.getSession().setAttribute("cart", "full");
            }
            String cart = request.getSession(false) == null
                    ? "no session"
                    : "cart " + request.getSession(false).getAttribute("cart");
            response.getWriter().print("open for " + request.getRemoteUser() + ", " + cart);
        }
    }

    @BeforeEach
    void start() throws Exception {
        start("1M");
    }

    private void start(String budget) throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("saved-request-limit", Integer.toString(SAVED_LIMIT))
                .set("saved-requests-budget", budget)
                .realm(GivenRealm.annAndBob().with("jürgen", "pä&ß", "staff"))
                .context("/app", context -> context.servlet("desk", desk, "/desk/*")
                        .servlet("open", new OpenServlet(), "/open", "/logout", "/begin")
                        .servlet("login", new LoginFormServlet("login"), "/login")
                        .servlet("wrong", new LoginFormServlet("wrong"), "/wrong")
                        .constrain("/desk/*", "staff")
                        .formLogin("/login", "/wrong"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawExchange get(String target, String session) throws IOException {
        return RawExchange.get(server, "/app" + target, "Cookie: JSESSIONID=" + session);
    }

    private RawExchange post(String target, String session, String type, String body) throws IOException {
        return RawExchange.of(
                server,
                "POST /app" + target + " HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\nCookie: JSESSIONID="
                        + session + "\r\nContent-Type: " + type
                        + "\r\nX-Mine: yes\r\nIf-None-Match: \"x\"\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
    }

    private RawExchange login(String session, String form) throws IOException {
        return post("/desk/j_security_check", session, "application/x-www-form-urlencoded", form);
    }

    private RawExchange loginAsAnn(String session) throws IOException {
        return login(session, "j_username=ann&j_password=secret");
    }

    private static String session(RawExchange answer) {
        List<String> cookies = answer.values("Set-Cookie");
        assertEquals(1, cookies.size(), answer.text());
        return cookies.get(0).substring("JSESSIONID=".length(), cookies.get(0).indexOf(';'));
    }

    @Test
    void aLoginRedirectsToTheRequestedPage() throws IOException {
        RawExchange form = RawExchange.get(server, "/app/desk/a%20b;x=y?q=1");
        assertEquals(200, form.status());
        assertEquals("login for null", form.body());
        assertEquals(List.of("no-store"), form.values("Cache-Control"));
        String before = session(form);

        RawExchange led = loginAsAnn(before);
        assertEquals(303, led.status());
        assertEquals(List.of("http://good.example/app/desk/a%20b?q=1"), led.values("Location"));
        String after = session(led);
        assertNotEquals(before, after);

        RawExchange shown = get("/desk/a%20b?q=1", after);
        assertEquals(
                "reached by ann/ann/FORM/staff=true | GET | /app/desk/a%20b | q=1 | null | null | q=1", shown.body());
        assertEquals("open for ann, cart null", get("/open", after).body());
    }

    /** After the login, the server runs the saved request. The {@code response-rules} also apply to the response to this request. */
    @Test
    void theResponseAfterALoginIsNotCompressedIfARuleForbidsTransforms(@TempDir Path folder) throws Exception {
        Path rules = Files.writeString(folder.resolve("rules"), "/app/text Cache-Control: no-transform\n");
        HttpServlet text = new HttpServlet() {
            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                // Removes the value "private", which the server has set for this constrained page. So the rule applies.
                response.setHeader("Cache-Control", null);
                response.setContentType("text/plain");
                response.getWriter().print("text ".repeat(2000));
            }
        };
        server.close();
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("compression", "on")
                .set("response-rules", rules.toString())
                .realm(GivenRealm.annAndBob())
                .context("/app", context -> context.servlet("text", text, "/text")
                        .servlet("login", new LoginFormServlet("login"), "/login")
                        .constrain("/text", "staff")
                        .formLogin("/login", "/login"))
                .start();
        RawExchange form = RawExchange.of(
                server,
                "POST /app/text HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\nAccept-Encoding: gzip\r\n"
                        + "Content-Length: 4\r\n\r\nbody");
        assertEquals("login for null", form.body());
        String session = session(loginAsAnn(session(form)));
        RawExchange shown = get("/text", session);
        assertEquals(200, shown.status());
        assertEquals(List.of("no-transform"), shown.values("Cache-Control"));
        assertEquals(List.of(), shown.values("Content-Encoding"), shown.head());
    }

    /** Starts a server with a constrained page and this login page. */
    private void startWithLoginPage(String page, Consumer<Context> with) throws Exception {
        server.close();
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .realm(GivenRealm.annAndBob())
                .context("/app", context -> {
                    context.servlet("desk", desk, "/desk/*")
                            .constrain("/desk/*", "staff")
                            .formLogin(page, page);
                    with.accept(context);
                })
                .start();
    }

    @Test
    void theConditionsAndTheRangeOfARequestAreNotForTheLoginPage(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("login.html"), "<p>Who are you?</p>");
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
        startWithLoginPage("/login.html", context -> context.resources(folder));
        for (String line : new String[] {
            "If-Modified-Since: Wed, 01 Jan 2025 00:00:00 GMT",
            "If-Unmodified-Since: Tue, 01 Jan 2019 00:00:00 GMT",
            "If-None-Match: *",
            "If-Match: \"mine\"",
            "Range: bytes=0-3"
        }) {
            RawExchange shown = RawExchange.get(server, "/app/desk/page", line);
            assertEquals(200, shown.status(), line);
            assertEquals("<p>Who are you?</p>", shown.body(), line);
        }
    }

    @Test
    void theLoginPageIsShownByGetWhateverTheMethodOfTheRequest() throws Exception {
        startWithLoginPage(
                "/login",
                context -> context.servlet(
                        "login",
                        new HttpServlet() {
                            @Override
                            protected void doGet(HttpServletRequest request, HttpServletResponse response)
                                    throws IOException {
                                response.getWriter().print("login by " + request.getMethod());
                            }
                        },
                        "/login"));
        for (String method : new String[] {"POST", "PUT", "DELETE"}) {
            RawExchange shown = RawExchange.of(
                    server,
                    method + " /app/desk/page HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            assertEquals(200, shown.status(), method);
            assertEquals("login by GET", shown.body(), method);
        }
    }

    @Test
    void theOldSessionIdIsInvalidAfterTheLogin() throws IOException {
        String before = session(RawExchange.get(server, "/app/desk/"));
        loginAsAnn(before);
        assertEquals("login for null", get("/desk/", before).body());
        assertEquals("open for null, no session", get("/open", before).body());
    }

    @Test
    void sessionAttributesFromBeforeTheLoginExistAfterTheLogin() throws IOException {
        String before = session(RawExchange.get(server, "/app/begin"));
        assertEquals("login for null", get("/desk/", before).body());
        String after = session(loginAsAnn(before));
        assertEquals("open for ann, cart full", get("/open", after).body());
    }

    @Test
    void anHttp10ClientIsRedirectedWithStatus302AfterTheLogin() throws IOException {
        String session = session(RawExchange.get(server, "/app/desk/"));
        String form = "j_username=ann&j_password=secret";
        RawExchange led = RawExchange.of(
                server,
                "POST /app/j_security_check HTTP/1.0\r\nHost: a\r\nCookie: JSESSIONID=" + session
                        + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n" + form);
        assertEquals(302, led.status());
    }

    @Test
    void aPostedFormIsReplayedAfterTheLogin() throws IOException {
        RawExchange form = post("/desk/save?a=1", "", "application/x-www-form-urlencoded", "b=2&c=%C3%A4");
        assertEquals("login for null", form.body());
        String after = session(loginAsAnn(session(form)));
        assertEquals(
                "reached by ann/ann/FORM/staff=true | POST | /app/desk/save | a=1 | yes | null | a=1 | b=2 | c=\u00c3\u00a4",
                get("/desk/save?a=1", after).body());
        assertEquals(
                "reached by ann/ann/FORM/staff=true | GET | /app/desk/save | a=1 | null | null | a=1",
                get("/desk/save?a=1", after).body());
        assertEquals(2, desk.calls());
    }

    /** The pages of the application and the redirects of the server carry the session id in their URLs. */
    @Test
    void aClientWithoutCookiesLogsInAndItsFormIsReplayed() throws IOException {
        String form = "POST %s HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s";
        RawExchange asked = RawExchange.of(server, form.formatted("/app/desk/save?a=1", 3, "b=2"));
        assertEquals("login for null", asked.body());
        String fields = "j_username=ann&j_password=secret";
        String target = "/app/j_security_check;jsessionid=" + session(asked);
        RawExchange led = RawExchange.of(server, form.formatted(target, fields.length(), fields));
        String id = session(led);
        String location = led.values("Location").get(0);
        assertEquals("http://good.example/app/desk/save;jsessionid=" + id + "?a=1", location);
        String shown = RawExchange.get(server, location.substring("http://good.example".length()))
                .body();
        assertEquals(
                "reached by ann/ann/FORM/staff=true | POST | /app/desk/save;jsessionid=" + id
                        + " | a=1 | null | null | a=1 | b=2",
                shown);
    }

    @Test
    void theBodyOfASavedRequestIsReplayedCompletely() throws IOException {
        byte[] bytes = new byte[SAVED_LIMIT];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        String body = new String(bytes, StandardCharsets.ISO_8859_1);
        String after = session(loginAsAnn(session(post("/desk/file", "", "text/x-any", body))));
        String shown = get("/desk/file", after).body();
        assertTrue(shown.endsWith(" | " + SAVED_LIMIT + " bytes " + Arrays.hashCode(bytes)), shown);
    }

    @Test
    void aRequestGets413InsteadOfTheLoginPageIfItsBodyIsTooLargeToSave() throws IOException {
        RawExchange refused = post("/desk/file", "", "text/plain", "x".repeat(SAVED_LIMIT + 1));
        assertEquals(413, refused.status());
        assertEquals(1, server.counters().get("saved-request-too-large"));
    }

    @Test
    void aSavedRequestIsNotReplayedWithoutALogin() throws IOException {
        String session = session(post("/desk/save", "", "text/plain", "mine"));
        assertEquals("login for null", get("/desk/save", session).body());
        assertEquals(0, desk.calls());
    }

    @Test
    void aWrongPasswordGetsTheErrorPageAndTheClientCanTryAgain() throws IOException {
        String session = session(RawExchange.get(server, "/app/desk/x"));
        for (String wrong : new String[] {
            "j_username=ann&j_password=wrong", "j_username=nobody&j_password=secret", "j_username=ann", "", "a=b"
        }) {
            RawExchange shown = login(session, wrong);
            assertEquals(200, shown.status(), wrong);
            assertEquals("wrong for null", shown.body(), wrong);
            assertEquals(List.of(), shown.values("Set-Cookie"), wrong);
        }
        assertEquals(
                List.of("http://good.example/app/desk/x"), loginAsAnn(session).values("Location"));
    }

    @Test
    void percentEncodedUserNamesAndPasswordsAreDecoded() throws IOException {
        String session = session(RawExchange.get(server, "/app/desk/"));
        assertEquals(
                303,
                login(session, "j_username=j%C3%BCrgen&j_password=p%C3%A4%26%C3%9F")
                        .status());
    }

    @Test
    void aUserWithoutTheRequiredRoleGets403() throws IOException {
        String session = session(RawExchange.get(server, "/app/desk/"));
        String bob = session(login(session, "j_username=bob&j_password=other"));
        assertEquals(403, get("/desk/", bob).status());
        assertEquals(0, desk.calls());
    }

    @Test
    void aLoginWithoutARequestedPageRedirectsToTheRootOfTheApplication() throws IOException {
        RawExchange led = loginAsAnn("");
        assertEquals(303, led.status());
        assertEquals(List.of("http://good.example/app/"), led.values("Location"));
    }

    @Test
    void loginDataIsAcceptedOnlyInPostRequests() throws IOException {
        RawExchange answer = RawExchange.get(server, "/app/j_security_check?j_username=ann&j_password=secret");
        assertEquals(404, answer.status());
        RawExchange constrained =
                RawExchange.get(server, "/app/desk/j_security_check?j_username=ann&j_password=secret");
        assertEquals("login for null", constrained.body());
        assertEquals(0, desk.calls());
    }

    @Test
    void aLogoutEndsTheLoginAndNotTheSession() throws IOException {
        String before = session(RawExchange.get(server, "/app/begin"));
        String after = session(loginAsAnn(before));
        assertEquals("open for ann, cart full", get("/open", after).body());
        assertEquals("open for null, cart full", get("/logout", after).body());
        assertEquals("open for null, cart full", get("/open", after).body());
        assertEquals("login for null", get("/desk/", after).body());
    }

    @Test
    void aLoginNeverRedirectsToAnotherHost() throws IOException {
        for (String target :
                new String[] {"/app/desk//evil.example/", "/app/desk/%5Cevil.example", "//evil.example/app/desk"}) {
            RawExchange form = RawExchange.get(server, target);
            if (form.status() == 200) {
                String location = loginAsAnn(session(form)).values("Location").get(0);
                assertTrue(location.startsWith("http://good.example/app/"), target + " " + location);
                assertFalse(location.substring(8).contains("//"), location);
            }
        }
    }

    @Test
    void theOldestSavedRequestIsDroppedIfTheSavedRequestsExceedTheirMemoryBudget() throws Exception {
        try (Penstock small = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("saved-requests-budget", "4K")
                .realm(GivenRealm.annAndBob())
                .context("/app", context -> context.servlet("desk", desk, "/desk/*")
                        .servlet("login", new LoginFormServlet("login"), "/login")
                        .constrain("/desk/*", "staff")
                        .formLogin("/login", "/login"))
                .start()) {
            String first = session(sendForm(small, "first"));
            for (int i = 0; i < 20; i++) {
                sendForm(small, "other" + i);
            }
            assertTrue(small.counters().get("saved-requests-dropped") > 0);
            RawExchange led = RawExchange.of(
                    small,
                    "POST /app/j_security_check HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: JSESSIONID=" + first
                            + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 32\r\n\r\n"
                            + "j_username=ann&j_password=secret");
            assertEquals(List.of("http://a/app/"), led.values("Location"));
        }
    }

    /** Posts an empty form to a page that needs a login. */
    private static RawExchange sendForm(Penstock server, String name) throws IOException {
        return RawExchange.of(
                server,
                "POST /app/desk/" + name + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    }

    @Test
    void aLoginRedirectsToTheRequestedPageEvenIfTheMemoryBudgetForSavedRequestsIsZero() throws Exception {
        server.close();
        start("0");
        String first = session(RawExchange.get(server, "/app/desk/first"));
        assertEquals(
                List.of("http://good.example/app/desk/first"), loginAsAnn(first).values("Location"));
        assertEquals(0, server.counters().get("saved-requests-dropped"));
    }
}
