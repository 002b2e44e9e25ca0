package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.SessionCookieConfig;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servlet 6.1, section 7.1: tests the attributes of the session cookie, and URLs with the session id. */
class SessionCookieTest {

    /** Creates a session. Then calls {@code encodeURL} with the URL in the header field {@code X-Url}, and writes the result. */
    private static final class Beginning extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String id = request.getSession().getId();
            String url = String.valueOf(request.getHeader("X-Url"));
            response.getWriter().print(response.encodeURL(url).replace(id, "ID"));
        }
    }

    /** Configures the session cookie when the context starts. */
    private record Configuring(Consumer<ServletContextEvent> code) implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            code.accept(event);
        }
    }

    private static Penstock start(Consumer<ServletContextEvent> code) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/app", context -> context.servlet("begin", new Beginning(), "/begin")
                        .listener(new Configuring(code)))
                .start();
    }

    private static Set<String> cookieOf(Consumer<SessionCookieConfig> configure) throws Exception {
        try (Penstock server =
                start(event -> configure.accept(event.getServletContext().getSessionCookieConfig()))) {
            List<String> cookies = RawExchange.get(server, "/app/begin").values("Set-Cookie");
            assertEquals(1, cookies.size());
            String[] parts = cookies.get(0).split("; ", -1);
            parts[0] = parts[0].substring(0, parts[0].indexOf('='));
            return Set.copyOf(Arrays.asList(parts));
        }
    }

    @Test
    void theDefaultSessionCookieHasThePathOfTheContextAndIsHttpOnly() throws Exception {
        assertEquals(Set.of("JSESSIONID", "Path=/app", "HttpOnly"), cookieOf(cookie -> {}));
    }

    @Test
    void theSessionCookieHasTheConfiguredAttributes() throws Exception {
        Set<String> sent = cookieOf(cookie -> {
            cookie.setName("SID");
            cookie.setPath("/");
            cookie.setDomain("example.test");
            cookie.setHttpOnly(false);
            cookie.setSecure(true);
            cookie.setAttribute("SameSite", "None");
            cookie.setAttribute("Partitioned", "");
            cookie.setAttribute("Priority", "High");
        });
        assertEquals(
                Set.of(
                        "SID",
                        "Path=/",
                        "Domain=example.test",
                        "Secure",
                        "SameSite=None",
                        "Partitioned",
                        "Priority=High"),
                sent);
    }

    @Test
    void cookieFlagsAreSentOnlyIfTheirValueIsTrueOrEmpty() throws Exception {
        assertTrue(
                cookieOf(cookie -> cookie.setAttribute("partitioned", "true")).contains("Partitioned"));
        assertTrue(cookieOf(cookie -> cookie.setAttribute("SECURE", "")).contains("Secure"));
        assertEquals(Set.of("JSESSIONID", "Path=/app"), cookieOf(cookie -> {
            cookie.setAttribute("HttpOnly", "false");
            cookie.setAttribute("Partitioned", "false");
        }));
    }

    @Test
    void theMaximumAgeOfTheCookieIsSentAsMaxAgeAndExpires() throws Exception {
        Set<String> sent = cookieOf(cookie -> cookie.setMaxAge(60));
        assertTrue(sent.contains("Max-Age=60"), sent + "");
        assertTrue(sent.stream().anyMatch(part -> part.startsWith("Expires=")), sent + "");
    }

    @Test
    void invalidCookieAttributesAreRejected() throws Exception {
        cookieOf(cookie -> {
            assertThrows(IllegalArgumentException.class, () -> cookie.setPath("/a; Secure"));
            assertThrows(IllegalArgumentException.class, () -> cookie.setDomain("a b"));
            assertThrows(IllegalArgumentException.class, () -> cookie.setAttribute("SameSite", "Sometimes"));
            assertThrows(IllegalArgumentException.class, () -> cookie.setAttribute("a b", "c"));
            assertThrows(IllegalArgumentException.class, () -> cookie.setAttribute("a", "c\r\nX: y"));
            assertThrows(NumberFormatException.class, () -> cookie.setAttribute("Max-Age", "long"));
        });
    }

    private static String encoded(Penstock server, String requested, String url) throws IOException {
        return RawExchange.get(server, requested, "X-Url: " + url).body();
    }

    @Test
    void theSessionIdIsAddedOnlyToUrlsOfTheContext() throws Exception {
        try (Penstock server = start(event -> {})) {
            List<String> own = List.of(
                    "page",
                    "/app",
                    "/app/",
                    "/app/x?y#z",
                    "http://good.example/app/x",
                    "HTTP://GOOD.example:80/app/x",
                    "//good.example/app/x",
                    "../app/x",
                    "x?a=b:c");
            List<String> others = List.of(
                    "#top",
                    "/application",
                    "/other",
                    "/app/../other",
                    "../other/x",
                    "../..",
                    "//other.example/app/x",
                    "\\\\other.example/app/x",
                    "/\\other.example/app/x",
                    "http://good.example.evil/app",
                    "http://good.example@other.example/app",
                    "http://good.example:81/app",
                    "https://good.example/app",
                    "http://other.example/app/",
                    "mailto:a@b",
                    "javascript:alert(1)");
            for (String url : own) {
                int end = (url + "?").indexOf('?');
                assertEquals(
                        url.substring(0, end) + ";jsessionid=ID" + url.substring(end),
                        encoded(server, "/app/begin", url));
            }
            for (String url : others) {
                assertEquals(url, encoded(server, "/app/begin", url));
            }
        }
    }

    @Test
    void aUrlHasOneSessionId() throws Exception {
        try (Penstock server = start(event -> {})) {
            String[][] urls = {
                {"/app/x;jsessionid=OLD", "/app/x;jsessionid=ID"},
                {"x;jsessionid=OLD?a=;jsessionid=b#;jsessionid=c", "x;jsessionid=ID?a=;jsessionid=b#;jsessionid=c"},
                {"/app;jsessionid=OLD/x;v=1;jsessionid=OLDER;w", "/app/x;v=1;w;jsessionid=ID"},
                {"x;jsessionid;jsessionid=", "x;jsessionid=ID"},
                {"x;jsessionids=7;ajsessionid=8", "x;jsessionids=7;ajsessionid=8;jsessionid=ID"},
            };
            for (String[] url : urls) {
                assertEquals(url[1], encoded(server, "/app/begin", url[0]));
            }
            String id = RawExchange.get(server, "/app/begin")
                    .values("Set-Cookie")
                    .get(0)
                    .replaceAll("JSESSIONID=|;.*", "");
            String once = "/app/x;jsessionid=ID";
            assertEquals(once, encoded(server, "/app/begin;jsessionid=" + id, "/app/x;jsessionid=" + id));
        }
    }

    /** A parameter alone would lead to the folder of the page, and dot segments have no parameters. */
    @Test
    void aUrlWithASessionIdLeadsToTheSamePlace() throws Exception {
        try (Penstock server = start(event -> {})) {
            assertEquals("/app/begin;jsessionid=ID?page=2", encoded(server, "/app/begin", "?page=2"));
            assertEquals("/app/begin;jsessionid=ID?page=2", encoded(server, "/app/begin;jsessionid=OLD", "?page=2"));
            assertEquals("/app/begin;jsessionid=ID", encoded(server, "/app/begin?page=1", ""));
            assertEquals("http://good.example//app/begin;jsessionid=ID?a", encoded(server, "//app/begin", "?a"));
            assertEquals("./;jsessionid=ID", encoded(server, "/app/begin", "."));
            assertEquals("../app/./;jsessionid=ID?a", encoded(server, "/app/begin", "../app/.?a"));
        }
    }

    @Test
    void theRedirectThatAddsASlashKeepsTheSessionIdOfTheUrl() throws Exception {
        try (Penstock server = start(event -> {})) {
            assertEquals(
                    List.of("http://good.example/app/;jsessionid=A1?b"),
                    RawExchange.get(server, "/app;jsessionid=A1?b").values("Location"));
        }
        try (Penstock server = start(event -> event.getServletContext().setSessionTrackingModes(Set.of()))) {
            assertEquals(
                    List.of("http://good.example/app/"),
                    RawExchange.get(server, "/app;jsessionid=A1").values("Location"));
        }
    }

    @Test
    void theRedirectToAFolderKeepsTheSessionOfTheUrl(@TempDir Path folder) throws Exception {
        Files.createDirectory(folder.resolve("deep"));
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("/app:directory-listing", "on")
                .context("/app", context -> context.resources(folder).servlet("begin", new Beginning(), "/begin"))
                .start()) {
            String id = RawExchange.get(server, "/app/begin")
                    .values("Set-Cookie")
                    .get(0)
                    .replaceAll("JSESSIONID=|;.*", "");
            assertEquals(
                    List.of("http://good.example/app/deep/;jsessionid=" + id + "?b"),
                    RawExchange.get(server, "/app/deep;jsessionid=" + id + "?b").values("Location"));
        }
    }

    /** A client without cookies follows redirects and links from page to page, also after its session got another id. */
    @Test
    void aClientWithoutCookiesKeepsItsSession() throws Exception {
        HttpServlet counting = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                Object before = request.getSession().getAttribute("count");
                int count = before == null ? 1 : (int) before + 1;
                request.getSession().setAttribute("count", count);
                if (count == 2) {
                    request.changeSessionId();
                }
                String next = count % 2 == 0 ? request.getRequestURI() : "?page=" + count;
                response.sendRedirect(response.encodeRedirectURL(next));
            }
        };
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/app", context -> context.servlet("count", counting, "/count"))
                .start()) {
            String at = "/app/count";
            for (int step = 1; step <= 5; step++) {
                RawExchange led = RawExchange.get(server, at);
                at = led.values("Location").get(0).substring("http://good.example".length());
                assertEquals(at.indexOf(";jsessionid="), at.lastIndexOf(";jsessionid="), at);
                assertEquals(step % 2 == 1, at.endsWith("?page=" + step), at);
            }
        }
    }

    @Test
    void theSessionIdIsNotSentIfAllTrackingModesAreDisabled() throws Exception {
        try (Penstock server = start(event -> event.getServletContext().setSessionTrackingModes(Set.of()))) {
            RawExchange answer = RawExchange.get(server, "/app/begin", "X-Url: page");
            assertEquals(List.of(), answer.values("Set-Cookie"));
            assertEquals("page", answer.body());
        }
    }

    @Test
    void sslTrackingCannotBeCombinedWithOtherTrackingModes() throws Exception {
        try (Penstock server = start(event -> {
            Set<SessionTrackingMode> ssl = EnumSet.of(SessionTrackingMode.SSL);
            assertThrows(IllegalArgumentException.class, () -> event.getServletContext()
                    .setSessionTrackingModes(EnumSet.of(SessionTrackingMode.SSL, SessionTrackingMode.COOKIE)));
            event.getServletContext().setSessionTrackingModes(ssl);
            assertEquals(ssl, event.getServletContext().getEffectiveSessionTrackingModes());
        })) {
            RawExchange plain = RawExchange.get(server, "/app/begin", "X-Url: page");
            assertEquals(200, plain.status());
            assertEquals(List.of(), plain.values("Set-Cookie"));
        }
    }
}
