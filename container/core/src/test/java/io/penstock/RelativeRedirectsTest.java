package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.Packing;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the setting {@code redirects = relative}. The {@code Location} of a relative redirect has no scheme and no host. So if a client
 * uses a reverse proxy, the redirect leads to the proxy. A relative redirect must never lead to another host.
 */
class RelativeRedirectsTest {

    @TempDir
    Path folder;

    /** Redirects to the location in the parameter {@code to}, without any check. */
    private static final class Redirecting extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendRedirect(request.getParameter("to"));
        }
    }

    private static Penstock server(Consumer<Penstock.Builder> more) throws StartException {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("redirects", "relative")
                .realm(GivenRealm.annAndBob());
        more.accept(builder);
        return builder.start();
    }

    private static void assertRedirectsTo(String location, RawExchange exchange) {
        assertTrue(exchange.status() / 100 == 3, exchange.text());
        assertEquals(List.of(location), exchange.values("Location"));
    }

    private static String target(String location) {
        return "/app/lead?to=" + URLEncoder.encode(location, StandardCharsets.UTF_8);
    }

    @Test
    void aRedirectToAPathIsRelativeUnlessABrowserWouldReadThePathAsAHost() throws Exception {
        try (Penstock server = server(
                builder -> builder.context("/app", context -> context.servlet("lead", new Redirecting(), "/lead")))) {
            assertRedirectsTo("/app/next", RawExchange.get(server, target("next")));
            assertRedirectsTo("/root?a=b", RawExchange.get(server, target("/root?a=b")));
            assertRedirectsTo("http://other.example/x", RawExchange.get(server, target("//other.example/x")));
            assertRedirectsTo("https://other.example/x", RawExchange.get(server, target("https://other.example/x")));
            // At the start of a location, a browser would read "//" or "/\" as the start of a host name. So the server
            // sends these locations with the host of the request.
            for (String hostile : List.of("/x/..//evil.example", "/.//evil.example", "..//evil.example")) {
                assertRedirectsTo("http://good.example//evil.example", RawExchange.get(server, target(hostile)));
            }
            assertRedirectsTo("http://good.example/\\evil.example", RawExchange.get(server, target("/\\evil.example")));
            assertRedirectsTo("/app/\\evil.example", RawExchange.get(server, target("\\evil.example")));
        }
    }

    @Test
    void aRedirectFromAPathWithTwoLeadingSlashesLeadsToTheHostOfTheRequest() throws Exception {
        try (Penstock server =
                server(builder -> builder.context("/", context -> context.servlet("lead", new Redirecting(), "/*")))) {
            for (String to : List.of("%3Fq", "", "%23f", "next", "./next")) {
                RawExchange led = RawExchange.get(server, "//evil.example/a?to=" + to);
                String location = led.values("Location").get(0);
                assertTrue(location.startsWith("http://good.example//evil.example/"), location);
            }
        }
    }

    @Test
    void redirectsThatAddAFinalSlashAreRelative() throws Exception {
        Path files = Packing.empty()
                .with("evil.example/deep/a.txt", "x")
                .with("evil.example/index.html", "welcome")
                .folder(folder.resolve("files"));
        try (Penstock server =
                server(builder -> builder.war("/", files).context("/shop", context -> context.resources(files)))) {
            assertRedirectsTo("/shop/", RawExchange.get(server, "/shop"));
            assertRedirectsTo("/shop/?a=//b", RawExchange.get(server, "//shop?a=//b"));
            for (String path : List.of("/evil.example", "//evil.example", "///evil.example", "//a/..//evil.example")) {
                assertRedirectsTo("/evil.example/", RawExchange.get(server, path));
            }
            assertRedirectsTo("/evil.example/deep/?//x", RawExchange.get(server, "//evil.example/deep?//x"));
            assertRedirectsTo("/shop/evil.example/", RawExchange.get(server, "//shop//evil.example"));
            assertEquals("welcome", RawExchange.get(server, "//evil.example/").body());
        }
    }

    /**
     * The target of a dispatch can be a page that clients cannot reach, such as one in {@code WEB-INF}. So the base of a relative location is
     * the address that the browser shows.
     */
    @Test
    void aRelativeLocationIsResolvedAgainstTheAddressThatTheClientAskedFor() throws Exception {
        HttpServlet dispatching = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                String page = "/WEB-INF/jsp/page?to=repositories/all";
                switch (request.getPathInfo()) {
                    case "/forward" -> request.getRequestDispatcher(page).forward(request, response);
                    case "/async" -> request.startAsync().dispatch(page);
                    default -> response.sendError(404);
                }
            }
        };
        try (Penstock server = server(builder -> builder.context("/app", context -> {
            context.servlet("page", new Redirecting(), "/WEB-INF/jsp/page").errorPage(404, "/WEB-INF/jsp/page?to=home");
            context.servlet("dispatching", dispatching, "/info/*");
        }))) {
            assertRedirectsTo("/app/info/repositories/all", RawExchange.get(server, "/app/info/forward"));
            assertRedirectsTo("/app/info/repositories/all", RawExchange.get(server, "/app/info/async"));
            assertRedirectsTo("/app/info/any/home", RawExchange.get(server, "/app/info/any/missing"));
        }
    }

    @Test
    void theRedirectAfterAFormLoginIsRelative() throws Exception {
        try (Penstock server = server(builder -> builder.context(
                "/app", context -> context.servlet("form", new LoginFormServlet("form"), "/login", "/wrong")
                        .servlet("who", new WhoServlet(), "/desk/*")
                        .constrain("/desk/*", "staff")
                        .formLogin("/login", "/wrong")))) {
            RawExchange form = RawExchange.get(server, "//app//desk/x?q=1");
            String cookie = form.values("Set-Cookie").get(0).replaceAll(";.*", "");
            String fields = "j_username=ann&j_password=secret";
            RawExchange led = RawExchange.of(
                    server,
                    "POST /app/j_security_check HTTP/1.1\r\nHost: good.example\r\nCookie: " + cookie
                            + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                            + fields.length() + "\r\nConnection: close\r\n\r\n" + fields);
            assertRedirectsTo("/app/desk/x?q=1", led);
        }
    }

    @Test
    void theServerDoesNotStartIfTheRedirectsSettingIsInvalid() {
        StartException e =
                assertThrows(StartException.class, () -> server(builder -> builder.set("redirects", "short")));
        assertTrue(e.getMessage().startsWith("redirects must be relative or absolute, not 'short'"), e.getMessage());
    }
}
