package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.admin.JsonValue;
import io.penstock.certificates.Issued;
import io.penstock.deploy.Packing;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests contexts of several hosts on one server, over real sockets. */
class VirtualHostsTest {
    @RegisterExtension
    final LeakCheck left = new LeakCheck();

    @TempDir
    Path folder;

    /** Runs the action that the request path names. By default, writes a name and the path. */
    private static final class NamedServlet extends HttpServlet {
        private final String name;

        NamedServlet(String name) {
            this.name = name;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            ServletContext context = getServletContext();
            String path = String.valueOf(request.getPathInfo());
            switch (path) {
                case "/redirect" -> response.sendRedirect("there");
                case "/error" -> response.sendError(410);
                case "/count" -> {
                    HttpSession session = request.getSession();
                    Object before = session.getAttribute("count");
                    session.setAttribute("count", before instanceof Integer count ? count + 1 : 1);
                    response.getWriter().print(name + " " + session.getAttribute("count"));
                }
                case "/host" -> response.getWriter().print(context.getVirtualServerName());
                case "/folder" ->
                    response.getWriter().print(((File) context.getAttribute(ServletContext.TEMPDIR)).getName());
                case "/minutes" -> response.getWriter().print(context.getSessionTimeout());
                case "/neighbour" -> {
                    ServletContext other = context.getContext("/shop");
                    response.getWriter().print(other == null ? "nobody" : other.getVirtualServerName());
                }
                default -> response.getWriter().print(name + request.getContextPath() + path);
            }
        }
    }

    private static Consumer<Context> named(String name) {
        return context -> context.servlet("named", new NamedServlet(name), "/*");
    }

    private static Penstock.Builder local() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2);
    }

    private static Penstock.Builder hosts() {
        return local().context("/", named("default"))
                .context("/blog", named("default blog"))
                .context("//www.example.org/", named("www"))
                .context("//www.example.org/shop", named("www shop"))
                .context("//*.example.org/", named("any"))
                .context("//*.b.example.org", named("any b"))
                .context("//[2001:db8::1]/", named("v6"))
                .context("//only.example/shop", named("only"));
    }

    private static RawExchange get(Penstock server, String host, String path, String... lines) throws IOException {
        StringBuilder head =
                new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n");
        for (String line : lines) {
            head.append(line).append("\r\n");
        }
        return RawExchange.of(server, head + "\r\n");
    }

    private static String body(Penstock server, String host, String path, String... lines) throws IOException {
        RawExchange answer = get(server, host, path, lines);
        assertEquals(200, answer.status(), answer::text);
        return answer.body();
    }

    @ParameterizedTest
    @CsvSource({
        "www.example.org,         /x,      www/x",
        "WWW.Example.ORG.:8080,   /x,      www/x",
        "www.example.org,         /shop/x, www shop/shop/x",
        "www.example.org,         /blog/x, www/blog/x", // the context /blog of the default host is not used
        "a.example.org,           /shop/x, any/shop/x",
        "a.www.example.org,       /x,      any/x",
        "a.b.example.org:80,      /x,      any b/x",
        "b.example.org,           /x,      any/x",
        "[2001:DB8:0::1]:8080,    /x,      v6/x",
        "only.example,            /shop/x, only/shop/x",
        "example.org,             /x,      default/x",
        "other.example,           /blog/x, default blog/blog/x",
        "127.0.0.1,               /x,      default/x"
    })
    void theHostIsMatchedBeforeThePath(String host, String path, String body) throws Exception {
        try (Penstock server = hosts().start()) {
            assertEquals(body, body(server, host, path));
        }
    }

    @Test
    void aRequestGets404IfItsHostHasNoContextForThePath() throws Exception {
        try (Penstock server = hosts().start()) {
            assertEquals(404, get(server, "only.example", "/").status());
            assertEquals(404, get(server, "only.example", "/blog/x").status());
        }
    }

    @Test
    void theHostOfAnAbsoluteRequestTargetOverridesTheHostField() throws Exception {
        try (Penstock server = hosts().start()) {
            assertEquals("www/x", body(server, "only.example", "http://www.example.org/x"));
            assertEquals("default/x", body(server, "www.example.org", "http://other.example:81/x"));
        }
    }

    @Test
    void anHttp10RequestWithoutAHostFieldIsServedByTheDefaultHost() throws Exception {
        for (String choice : List.of("default", "refuse")) {
            try (Penstock server = hosts().set("unknown-host", choice).start()) {
                assertEquals(
                        "default/x",
                        RawExchange.of(server, "GET /x HTTP/1.0\r\n\r\n").body());
                assertEquals(
                        "www/x",
                        RawExchange.of(server, "GET /x HTTP/1.0\r\nHost: www.example.org\r\n\r\n")
                                .body());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host:\r\n",
                "Host: www.example.org\r\nHost: www.example.org\r\n",
                "Host: [::1\r\n",
                "",
                "Host: a b\r\n"
            })
    void aRequestWithAMissingOrInvalidHostFieldGets400(String field) throws Exception {
        try (Penstock server = hosts().set("unknown-host", "refuse").start()) {
            assertEquals(
                    400,
                    RawExchange.of(server, "GET /x HTTP/1.1\r\n" + field + "\r\n")
                            .status());
        }
    }

    @Test
    void aRequestForAnUnknownHostIsRefusedAndCountedIfConfigured() throws Exception {
        try (Penstock server =
                hosts().set("unknown-host", "refuse").set("admin-port", "0").start()) {
            for (String target : List.of("/", "/blog", "/no", "http://unknown.example/")) {
                RawExchange refused = get(server, "other.example", target);
                assertEquals(421, refused.status());
            }
            assertEquals(
                    421,
                    RawExchange.of(server, "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .status());
            assertEquals("www/x", body(server, "www.example.org", "/x"));
            assertEquals(404, get(server, "only.example", "/").status());
            assertEquals(5L, server.counters().get("hosts-unknown"));
            assertEquals(
                    5,
                    AdminPort.of(server)
                            .metrics()
                            .value(
                                    "penstock_refusals_total{http_response_status_code=\"421\",reason=\"unknown-host\"}"));
        }
    }

    @Test
    void theConnectionStaysOpenAfterA421Response() throws Exception {
        try (Penstock server = hosts().set("unknown-host", "refuse").start()) {
            RawExchange both = RawExchange.of(
                    server,
                    "GET / HTTP/1.1\r\nHost: other.example\r\n\r\n"
                            + "GET /x HTTP/1.1\r\nHost: www.example.org\r\nConnection: close\r\n\r\n");
            assertEquals(421, both.status());
            assertTrue(both.text().endsWith("\r\n\r\nwww/x"), both.text());
        }
    }

    @Test
    void theUnknownHostSettingAlsoAppliesToAServerWithoutVirtualHosts() throws Exception {
        try (Penstock server = local().context("/", named("default")).start()) {
            assertEquals("default/x", body(server, "www.example.org", "/x"));
        }
        try (Penstock server = local().context("/", named("default"))
                .set("unknown-host", "refuse")
                .start()) {
            assertEquals(421, get(server, "www.example.org", "/x").status());
            server.deploy("//www.example.org", named("www"));
            assertEquals("www/x", body(server, "www.example.org", "/x"));
        }
    }

    @Test
    void theForwardedHostOfATrustedProxyIsUsed() throws Exception {
        String field = "X-Forwarded-Host: www.example.org";
        try (Penstock server = hosts().set("trusted-proxies", "127.0.0.1")
                .set("unknown-host", "refuse")
                .start()) {
            assertEquals("www/x", body(server, "backend", "/x", field));
            assertEquals(
                    421,
                    get(server, "www.example.org", "/x", "X-Forwarded-Host: other.example")
                            .status());
        }
        try (Penstock server = hosts().start()) {
            assertEquals("default/x", body(server, "backend", "/x", field));
        }
    }

    @Test
    void eachHostHasAVirtualServerName() throws Exception {
        try (Penstock server = hosts().start()) {
            assertEquals("penstock", body(server, "other.example", "/host"));
            assertEquals("www.example.org", body(server, "www.example.org", "/host"));
            assertEquals("www.example.org", body(server, "www.example.org", "/shop/host"));
            assertEquals("*.example.org", body(server, "a.example.org", "/host"));
        }
    }

    @Test
    void getContextFindsOnlyContextsOfTheSameHost() throws Exception {
        try (Penstock server = hosts().context("/shop", named("default shop")).start()) {
            assertEquals("www.example.org", body(server, "www.example.org", "/neighbour"));
            assertEquals("penstock", body(server, "other.example", "/neighbour"));
            // The host *.example.org has only the root context. So getContext("/shop") returns the root context.
            assertEquals("*.example.org", body(server, "a.example.org", "/neighbour"));
            assertEquals("only.example", body(server, "only.example", "/shop/neighbour"));
        }
        try (Penstock server = local().context("//a.example/x", named("a"))
                .context("/shop", named("b"))
                .start()) {
            assertEquals("nobody", body(server, "a.example", "/x/neighbour"));
        }
    }

    @Test
    void redirectsStayOnTheHostOfTheRequestAndEachHostHasItsOwnErrorPages() throws Exception {
        Files.createDirectories(folder.resolve("pictures"));
        Consumer<Context> own = named("own error ");
        try (Penstock server = hosts().context("//files.example/", context -> context.resources(folder))
                .context("//docs.example/docs", context -> context.resources(folder))
                .context("//err.example/", context -> {
                    own.accept(context);
                    context.errorPage(410, "/gone");
                })
                .start()) {
            assertEquals(
                    List.of("http://www.example.org:81/there"),
                    get(server, "www.example.org:81", "/redirect").values("Location"));
            assertEquals(
                    List.of("http://docs.example/docs/"),
                    get(server, "docs.example", "/docs").values("Location"));
            assertEquals(
                    List.of("http://files.example/pictures/"),
                    get(server, "files.example", "/pictures").values("Location"));
            assertEquals("own error /gone", get(server, "err.example", "/error").body());
            assertNotEquals(
                    "own error /gone", get(server, "www.example.org", "/error").body());
        }
    }

    private static String cookie(RawExchange answer) {
        return "Cookie: " + answer.values("Set-Cookie").get(0).split(";", -1)[0];
    }

    @Test
    void hostsHaveSeparateSessionsAndTemporaryFolders() throws Exception {
        try (Penstock server = local().context("/", named("default"))
                .context("//a.example/", named("a"))
                .context("//b.example/", named("b"))
                .set("session-dir", folder.toString())
                .start()) {
            RawExchange first = get(server, "a.example", "/count");
            assertEquals("a 1", first.body());
            String cookie = cookie(first);
            assertEquals("a 2", body(server, "a.example", "/count", cookie));
            assertEquals("b 1", body(server, "b.example", "/count", cookie));
            assertEquals("default 1", body(server, "c.example", "/count", cookie));
            assertEquals("a 3", body(server, "a.example", "/count", cookie));
            assertNotEquals(body(server, "a.example", "/folder"), body(server, "b.example", "/folder"));
        }
    }

    @Test
    void sessionsOfAHostContinueAfterARestart() throws Exception {
        String cookie;
        try (Penstock server = startWithSessionDir()) {
            cookie = cookie(get(server, "a.example", "/shop/count"));
        }
        try (Penstock server = startWithSessionDir()) {
            assertEquals("b 1", body(server, "b.example", "/shop/count", cookie));
            assertEquals("a 2", body(server, "a.example", "/shop/count", cookie));
        }
    }

    private Penstock startWithSessionDir() throws StartException {
        return local().context("//a.example/shop", named("a"))
                .context("//b.example/shop", named("b"))
                .set("session-dir", folder.toString())
                .start();
    }

    @Test
    void aSettingWithAHostAndAPathAppliesOnlyToOneContext() throws Exception {
        try (Penstock server = hosts().set("//WWW.example.org/shop:session-timeout", "20m")
                .set("/:session-timeout", "10m")
                .set("//[2001:db8::1]:session-timeout", "7m")
                .start()) {
            assertEquals("20", body(server, "www.example.org", "/shop/minutes"));
            assertEquals("30", body(server, "www.example.org", "/minutes"));
            assertEquals("10", body(server, "other.example", "/minutes"));
            assertEquals("7", body(server, "[2001:db8::1]", "/minutes"));
        }
    }

    @Test
    void contextsOfAHostCanBeDeployedAndUndeployed() throws Exception {
        try (Penstock server = local().context("/", named("default"))
                .context("//a.example/", named("a"))
                .set("admin-port", "0")
                .start()) {
            assertEquals(List.of("/", "//a.example/"), server.contexts());
            server.deploy("//A.example/", named("second"));
            server.deploy("//b.example/", named("b"));
            assertEquals(List.of("/", "//a.example/", "//b.example/"), server.contexts());
            assertEquals("//a.example/", JsonValue.at(AdminPort.of(server).json("/contexts"), "serving", 1, "path"));
            assertEquals("second/x", body(server, "a.example", "/x"));
            assertTrue(server.undeploy("//A.example"));
            assertFalse(server.undeploy("//a.example/"));
            assertEquals("default/x", body(server, "a.example", "/x")); // a.example is an unknown host now
            assertEquals("b/x", body(server, "b.example", "/x"));
            assertTrue(server.undeploy("/"));
            assertEquals(404, get(server, "a.example", "/x").status());
            assertEquals("b/x", body(server, "b.example", "/x"));
        }
    }

    /** If the default host answered the requests for the host of a failed application, clients would get pages of another site. */
    @Test
    void theHostOfAFailedApplicationIsNotServedByTheDefaultHost() throws Exception {
        Path bad = Packing.empty()
                .with("WEB-INF/web.xml", "<web-app><servlt/></web-app>")
                .archive(folder.resolve("bad.war"));
        try (Penstock server = local().context("/", named("default"))
                .war("//a.example/", bad)
                .leaveOutWhatFails()
                .start()) {
            assertEquals(404, get(server, "a.example", "/x").status());
            assertEquals("default/x", body(server, "b.example", "/x"));
            assertThrows(DeployException.class, () -> server.deploy("//b.example/shop", bad));
            assertEquals(404, get(server, "b.example", "/x").status());
            server.deploy("//b.example/shop", named("b"));
            assertEquals("b/shop/x", body(server, "b.example", "/shop/x"));
            assertFalse(server.undeploy("//A.example/"));
            assertEquals("default/x", body(server, "a.example", "/x"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"//a:80/", "//m\u00fcller.example/", "//*/", "//a//b"})
    void theServerDoesNotStartIfAHostIsInvalid(String location) {
        StartException e = assertThrows(StartException.class, () -> local().context(location, named("x"))
                .start());
        assertTrue(
                String.valueOf(e.getMessage()).contains("without a port and in ASCII, not '" + location + "'"),
                e::getMessage);
    }

    @Test
    void twoApplicationsWithTheSameHostInTwoSpellingsAreRejected() {
        Penstock.Builder twice = local().context("//a.example", named("1")).context("//A.example./", named("2"));
        StartException e = assertThrows(StartException.class, twice::start);
        assertTrue(
                String.valueOf(e.getMessage()).contains("two applications have the context path //a.example/"),
                e::getMessage);
    }

    @Test
    void eachHostCanHaveASeparateCertificate() throws Exception {
        Issued first = Issued.self(Issued.EC, "a.example");
        Issued second = Issued.self(Issued.EC, "b.example", "*.b.example");
        Path one = Files.writeString(folder.resolve("a.pem"), first.pem() + first.keyPem());
        Path two = Files.writeString(folder.resolve("b.pem"), second.pem() + second.keyPem());
        try (Penstock server = local().set("tls-cert", one + "," + two)
                .set("unknown-host", "refuse")
                .context("//a.example/", named("a"))
                .context("//b.example/", named("b"))
                .context("//*.b.example/", named("any b"))
                .start()) {
            try (HttpsClient client = new HttpsClient(server.port(), "a.example")) {
                assertEquals("a/x", client.get("a.example", "/x").body());
                assertEquals(first.certificate(), client.socket().getSession().getPeerCertificates()[0]);
                assertEquals(421, client.get("b.example", "/x").status());
                // The server knows the host b.example, but the certificate of this connection does not cover b.example.
                assertEquals(0L, server.counters().get("hosts-unknown"));
            }
            try (HttpsClient client = new HttpsClient(server.port(), "b.example")) {
                assertEquals("b/x", client.get("b.example", "/x").body());
                assertEquals(second.certificate(), client.socket().getSession().getPeerCertificates()[0]);
                assertEquals("any b/x", client.get("c.b.example", "/x").body());
            }
            try (HttpsClient client = new HttpsClient(server.port(), null)) {
                assertEquals("b/x", client.get("b.example", "/x").body());
                assertEquals(421, client.get("127.0.0.1", "/x").status());
                await().untilAsserted(() -> assertEquals(1L, server.counters().get("hosts-unknown")));
            }
        }
    }
}
