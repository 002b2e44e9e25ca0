package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.admin.JsonValue;
import io.penstock.deploy.Packing;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/**
 * Tests context paths that need percent escapes in a URL (RFC 3986 section 2.1). Clients and applications get the path with its escapes,
 * everywhere.
 */
class EncodedContextPathTest {
    @TempDir
    Path folder;

    /** Runs the action that the path names. */
    private static final class Site extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.setCharacterEncoding("UTF-8");
            switch (request.getPathInfo()) {
                case "/session" -> {
                    boolean isNew = request.getSession().isNew();
                    response.getWriter().print(isNew + " " + response.encodeURL(request.getContextPath() + "/do/x"));
                }
                case "/redirect" -> response.sendRedirect("next");
                case "/moved" -> response.sendRedirect(request.getContextPath() + "/next");
                case "/forward" -> request.getRequestDispatcher("/show").forward(request, response);
                case "/include" -> request.getRequestDispatcher("/show").include(request, response);
                case "/again" -> {
                    if (request.getAttribute(AsyncContext.ASYNC_REQUEST_URI) == null) {
                        request.startAsync().dispatch();
                    } else {
                        show(request, response);
                    }
                }
                case "/fail" -> response.sendError(418);
                default -> show(request, response);
            }
        }

        static void show(HttpServletRequest request, HttpServletResponse response) throws IOException {
            List<String> names = List.of(
                    RequestDispatcher.FORWARD_CONTEXT_PATH,
                    RequestDispatcher.FORWARD_REQUEST_URI,
                    RequestDispatcher.INCLUDE_CONTEXT_PATH,
                    RequestDispatcher.INCLUDE_REQUEST_URI,
                    RequestDispatcher.ERROR_REQUEST_URI,
                    AsyncContext.ASYNC_CONTEXT_PATH,
                    AsyncContext.ASYNC_REQUEST_URI);
            StringBuilder shown = new StringBuilder(request.getContextPath() + " " + request.getRequestURI() + " "
                    + request.getServletContext().getContextPath());
            for (String name : names) {
                if (request.getAttribute(name) != null) {
                    shown.append(' ').append(request.getAttribute(name));
                }
            }
            response.getWriter().print(shown);
        }
    }

    private static final class Show extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Site.show(request, response);
        }
    }

    private Penstock start(String path, String... settings) throws Exception {
        Path files = Packing.empty().with("deep/a.txt", "file").folder(folder.resolve("files"));
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("admin-port", "0")
                .set(path + ":directory-listing", "on")
                .realm(GivenRealm.annAndBob())
                .context(path, context -> context.resources(files)
                        .servlet("site", new Site(), "/do/*")
                        .servlet("show", new Show(), "/show")
                        .servlet("form", new LoginFormServlet("form"), "/login", "/wrong")
                        .servlet("who", new WhoServlet(), "/desk/*")
                        .constrain("/desk/*", "staff")
                        .formLogin("/login", "/wrong")
                        .errorPage(418, "/show"));
        for (int i = 0; i < settings.length; i += 2) {
            builder.set(settings[i], settings[i + 1]);
        }
        return builder.start();
    }

    private static String location(RawExchange answer) {
        return answer.values("Location").get(0).substring("http://good.example".length());
    }

    private static String cookie(RawExchange answer) {
        return "Cookie: " + answer.values("Set-Cookie").get(0).replaceAll(";.*", "");
    }

    @ParameterizedTest
    @CsvSource({"/my app, /my%20app", "/my%20app, /my%20app", "/caf\u00e9/\u65e5, /caf%C3%A9/%E6%97%A5"})
    void clientsAndApplicationsGetTheEncodedPath(String path, String encoded) throws Exception {
        try (Penstock server = start(path)) {
            RawExchange begun = RawExchange.get(server, encoded + "/do/session");
            String cookie = begun.values("Set-Cookie").get(0);
            assertTrue(cookie.contains("; Path=" + encoded + ";"), cookie);
            assertTrue(begun.body().startsWith("true " + encoded + "/do/x;jsessionid="), begun.body());
            String later = RawExchange.get(server, encoded + "/do/session", cookie(begun))
                    .body();
            assertEquals("false " + encoded + "/do/x", later);

            assertEquals(encoded + "/?a", location(RawExchange.get(server, encoded + "?a")));
            assertEquals(encoded + "/deep/", location(RawExchange.get(server, encoded + "/deep")));
            assertEquals(encoded + "/do/next", location(RawExchange.get(server, encoded + "/do/redirect")));
            assertEquals(encoded + "/next", location(RawExchange.get(server, encoded + "/do/moved")));

            String shown = " " + encoded + "/show " + encoded;
            String forwarded = " " + encoded + " " + encoded + "/do/";
            assertEquals(
                    encoded + shown, RawExchange.get(server, encoded + "/show").body());
            assertEquals(
                    encoded + shown + forwarded + "forward",
                    RawExchange.get(server, encoded + "/do/forward").body());
            assertEquals(
                    encoded + " " + encoded + "/do/include " + encoded + " " + encoded + " " + encoded + "/show",
                    RawExchange.get(server, encoded + "/do/include").body());
            assertEquals(
                    encoded + shown + forwarded + "fail " + encoded + "/do/fail",
                    RawExchange.get(server, encoded + "/do/fail").body());
            assertEquals(
                    encoded + " " + encoded + "/do/again " + encoded + forwarded + "again",
                    RawExchange.get(server, encoded + "/do/again").body());

            assertEquals(
                    "file", RawExchange.get(server, encoded + "/deep/a.txt").body());
            String listing = RawExchange.get(server, encoded + "/deep/").whole();
            String name = path.contains("%") ? "/my app" : path;
            String title = new String(
                    ("<h1>" + name + "/deep/</h1>").getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            assertTrue(listing.contains(title), listing);
        }
    }

    /** Spring finds its paths by {@code getRequestURI} and {@code getContextPath}, and fails if they have different escapes. */
    @Test
    void thePathOfTheContextIsThatOfTheRequestAlsoWithOtherEscapes() throws Exception {
        try (Penstock server = start("/caf\u00e9")) {
            for (String sent : List.of("/caf%c3%a9", "/%63af%C3%a9")) {
                String shown = " " + sent + "/do/show /caf%C3%A9";
                assertEquals(
                        sent + shown, RawExchange.get(server, sent + "/do/show").body());
                assertEquals(
                        sent + " " + sent + "/do/again /caf%C3%A9 " + sent + " " + sent + "/do/again",
                        RawExchange.get(server, sent + "/do/again").body());
                RawExchange begun = RawExchange.get(server, sent + "/do/session");
                assertTrue(begun.body().startsWith("true " + sent + "/do/x;jsessionid="), begun.body());
            }
            for (String odd : List.of("//caf%c3%a9", "/x/../caf%c3%a9", "/caf%c3%a9;v=1")) {
                String body = RawExchange.get(server, odd + "/do/show").body();
                assertTrue(body.startsWith("/caf%C3%A9 "), body);
            }
        }
    }

    @Test
    void theRedirectAfterALoginHasOneEncoding() throws Exception {
        try (Penstock server = start("/my app")) {
            RawExchange form = RawExchange.get(server, "/my%20app/desk/a%20b?q=%20");
            String fields = "j_username=ann&j_password=secret";
            RawExchange led = RawExchange.of(
                    server,
                    "POST /my%20app/j_security_check HTTP/1.1\r\nHost: good.example\r\n" + cookie(form)
                            + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                            + fields.length() + "\r\nConnection: close\r\n\r\n" + fields);
            assertEquals("/my%20app/desk/a%20b?q=%20", location(led));
        }
    }

    @Test
    void operatorsSeeTheEncodedPathAndMayWriteEither() throws Exception {
        for (String written : List.of("/my app", "/my%20app")) {
            try (Penstock server =
                    start("/my app", written + ":session-timeout", "0s", written + ":max-workers", "1")) {
                AdminPort admin = AdminPort.of(server);
                assertEquals("/my%20app", JsonValue.at(admin.json("/contexts"), "serving", 0, "path"));
                assertEquals(List.of("/my%20app"), List.copyOf(server.contexts()));
                assertTrue(admin.get("/config").whole().contains("/my%20app:session-timeout"));
                assertTrue(admin.get("/dump").whole().contains("/my%20app"));
                assertFalse(admin.get("/dump").whole().contains("/my app"));
                assertTrue(server.undeploy(written));
                assertEquals(404, RawExchange.get(server, "/my%20app/do/show").status());
            }
        }
    }

    private void assertServedAs(String encoded, String file) throws Exception {
        Path webapps = Files.createDirectory(folder.resolve("webapps"));
        Path war = Packing.empty()
                .with("index.html", "welcome")
                .with("META-INF/context.xml", "<Context sessionTimeout='5'/>")
                .with("WEB-INF/web.xml", "")
                .archive(webapps.resolve(file));
        LoggerFactory.getLogger(EncodedContextPathTest.class);
        int before = Files.readAllBytes(LogInjectionTest.LOG).length;
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("webapps", webapps.toString())
                .start()) {
            assertEquals("welcome", RawExchange.get(server, encoded + "/").body());
            assertEquals(encoded + "/", location(RawExchange.get(server, encoded)));
        }
        byte[] all = Files.readAllBytes(LogInjectionTest.LOG);
        String log = new String(all, before, all.length - before, Charset.defaultCharset());
        assertTrue(log.contains("Deployed " + encoded + " from " + war), log);
        assertTrue(log.contains("the key " + encoded + ":session-timeout"), log);
    }

    @Test
    void anArchiveWithASpaceInItsNameIsServed() throws Exception {
        assertServedAs("/my%20app", "my app.war");
    }

    @Test
    void anArchiveWithALetterBeyondAsciiInItsNameIsServed() throws Exception {
        String names = System.getProperty("sun.jnu.encoding");
        assumeTrue(Charset.forName(names).newEncoder().canEncode('\u00e9'), "names of files are in " + names);
        assertServedAs("/caf%C3%A9", "caf\u00e9.war");
    }

    @RestController
    @EnableWebMvc
    public static class Greeting {
        @GetMapping("/hello")
        public String hello() {
            return "hello";
        }
    }

    @Test
    void springFindsItsPaths() throws Exception {
        AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
        beans.register(Greeting.class);
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/my caf\u00e9", context -> context.servlet("mvc", new DispatcherServlet(beans), "/"))
                .start()) {
            for (String sent : List.of("/my%20caf%C3%A9", "/my%20caf%c3%a9", "/%6dy%20caf%C3%A9")) {
                assertEquals("hello", RawExchange.get(server, sent + "/hello").body(), sent);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/my%20app/up", "/my app/up"})
    void aPatternOfStreamingPathsMayHavePercentEscapes(String pattern) throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        HttpServlet up = new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                called.countDown();
                response.getOutputStream().print(request.getInputStream().readAllBytes().length);
            }
        };
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .set("streaming-paths", pattern)
                        .context("/my app", context -> context.servlet("up", up, "/up"))
                        .start();
                Socket client = RawExchange.begin(
                        server,
                        "POST /my%20app/up HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n1")) {
            assertTrue(called.await(60, TimeUnit.SECONDS), "the worker waits for the whole body");
            client.getOutputStream().write('2');
            assertTrue(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).endsWith("2"));
        }
    }
}
