package io.penstock.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.error.ErrorPage;
import org.springframework.boot.web.server.Compression;
import org.springframework.boot.web.server.Cookie.SameSite;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.MimeMappings;
import org.springframework.boot.web.server.servlet.CookieSameSiteSupplier;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.http.HttpStatus;

/**
 * Tests the settings of Boot for a servlet application. Each test checks the effect of a setting on the responses or on the application.
 */
class ServletSettingsTest {
    @TempDir
    Path folder;

    private final PenstockServletWebServerFactory factory = Running.factory();

    private static final ServletContextInitializer SESSION = Running.servlet("/session", (request, response) -> {
        Object before = request.getSession().getAttribute("n");
        int now = before == null ? 1 : (Integer) before + 1;
        request.getSession().setAttribute("n", now);
        response.addCookie(new Cookie("own", "1"));
        response.getWriter().print(now);
    });

    private static List<String> cookies(HttpResponse<?> response) {
        return response.headers().allValues("Set-Cookie");
    }

    private static String startingWith(String name, List<String> cookies) {
        return cookies.stream()
                .filter(cookie -> cookie.startsWith(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theServerUsesTheConfiguredContextPathAndAddress() throws Exception {
        factory.setContextPath("/shop");
        factory.setAddress(InetAddress.getByName("127.0.0.1"));
        try (Running running = Running.start(factory, SESSION)) {
            assertEquals("1", running.get("/shop/session").body());
            assertEquals(404, running.get("/session").statusCode());
            assertTrue(running.server.getPenstock().address().getAddress().isLoopbackAddress());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientWithPriorKnowledgeOfHttp2IsServedIfHttp2IsEnabled(boolean enabled) throws Exception {
        Http2 http2 = new Http2();
        http2.setEnabled(enabled);
        factory.setHttp2(http2);
        ServletContextInitializer protocol =
                Running.servlet("/", (request, response) -> response.getWriter().print(request.getProtocol()));
        try (Running running = Running.start(factory, protocol);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), running.server.getPort())) {
            client.setSoTimeout(60_000);
            DataInputStream in = new DataInputStream(client.getInputStream());
            client.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            if (!enabled) {
                assertEquals("HTTP/1.1 ", new String(in.readNBytes(9), StandardCharsets.US_ASCII));
                return;
            }
            // SETTINGS, and the head of GET http://a/ in entries of the static table
            client.getOutputStream()
                    .write(HexFormat.of().parseHex("000000040000000000" + "000006010500000001" + "828684410161"));
            assertEquals("HTTP/2.0", firstData(in));
        }
    }

    /** Reads up to the first DATA frame, and returns its content. */
    private static String firstData(DataInputStream in) throws IOException {
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            in.skipNBytes(5);
            byte[] payload = in.readNBytes(length);
            if (type == 0) {
                return new String(payload, StandardCharsets.US_ASCII);
            }
        }
    }

    @Test
    void sessionCookieSettingsAndSameSiteSuppliersAreApplied() throws Exception {
        factory.getSettings().getSession().getCookie().setName("SHOP");
        factory.getSettings().getSession().getCookie().setPartitioned(true);
        factory.getSettings().getSession().getCookie().setSameSite(SameSite.LAX);
        factory.addCookieSameSiteSuppliers(CookieSameSiteSupplier.ofStrict());
        try (Running running = Running.start(factory, SESSION)) {
            List<String> cookies = cookies(running.get("/session"));
            String session = startingWith("SHOP=", cookies);
            assertTrue(session.contains("SameSite=Lax"), session);
            assertTrue(session.contains("Partitioned"), session);
            assertEquals("own=1; SameSite=Strict", startingWith("own=", cookies));
        }
    }

    @Test
    void aSameSiteSupplierAppliesToTheSessionCookie() throws Exception {
        factory.getSettings().getSession().getCookie().setName("SHOP");
        factory.addCookieSameSiteSuppliers(
                CookieSameSiteSupplier.ofNone().whenHasName("other"),
                CookieSameSiteSupplier.ofStrict().whenHasName("SHOP"),
                CookieSameSiteSupplier.ofLax());
        try (Running running = Running.start(factory, SESSION)) {
            List<String> cookies = cookies(running.get("/session"));
            String session = startingWith("SHOP=", cookies);
            assertTrue(session.contains("SameSite=Strict"), session);
            assertEquals("own=1; SameSite=Lax", startingWith("own=", cookies));
        }
    }

    @Test
    void aSameSiteSupplierAlsoAppliesToARenamedSessionCookie() throws Exception {
        factory.addCookieSameSiteSuppliers(CookieSameSiteSupplier.ofStrict().whenHasName("LATE"));
        try (Running running = Running.start(
                factory, SESSION, context -> context.getSessionCookieConfig().setName("LATE"))) {
            String session = startingWith("LATE=", cookies(running.get("/session")));
            assertTrue(session.contains("SameSite=Strict"), session);
        }
    }

    @Test
    void theSessionCookieHasNoSameSiteAttributeIfTheSettingHasTheValueOmitted() throws Exception {
        factory.getSettings().getSession().getCookie().setSameSite(SameSite.OMITTED);
        factory.addCookieSameSiteSuppliers(CookieSameSiteSupplier.ofStrict());
        try (Running running = Running.start(factory, SESSION)) {
            String session = startingWith("JSESSIONID=", cookies(running.get("/session")));
            assertFalse(session.contains("SameSite"), session);
        }
    }

    @Test
    void sessionsAreStoredAndTheTimeOutIsRoundedUpToMinutes() throws Exception {
        factory.getSettings().getSession().setPersistent(true);
        factory.getSettings()
                .getSession()
                .setStoreDir(folder.resolve("sessions").toFile());
        factory.getSettings().getSession().setTimeout(Duration.ofSeconds(61));
        String cookie;
        AtomicReference<Integer> seconds = new AtomicReference<>();
        HttpSessionListener listener = new HttpSessionListener() {
            @Override
            public void sessionCreated(HttpSessionEvent event) {
                seconds.set(event.getSession().getMaxInactiveInterval());
            }
        };
        try (Running running = Running.start(factory, SESSION, context -> context.addListener(listener))) {
            cookie =
                    startingWith("JSESSIONID", cookies(running.get("/session"))).split(";")[0];
        }
        assertEquals(120, seconds.get());
        try (Running running = Running.start(factory, SESSION)) {
            assertEquals("2", running.get("/session", "Cookie", cookie).body());
        }
    }

    @Test
    void errorPagesOfBootAreShown() throws Exception {
        factory.addErrorPages(
                new ErrorPage(HttpStatus.NOT_FOUND, "/missing"),
                new ErrorPage(IllegalStateException.class, "/later"),
                new ErrorPage("/any"));
        try (Running running = Running.start(
                factory,
                page("/missing"),
                page("/later"),
                page("/any"),
                Running.servlet("/fails", (request, response) -> {
                    throw new IllegalStateException("planned");
                }),
                Running.servlet("/forbidden", (request, response) -> response.sendError(403)))) {
            assertEquals("/missing", running.get("/nothing").body());
            assertEquals("/later", running.get("/fails").body());
            assertEquals(500, running.get("/fails").statusCode());
            assertEquals("/any", running.get("/forbidden").body());
        }
    }

    private static ServletContextInitializer page(String path) {
        return Running.servlet(path, (request, response) -> response.getWriter().print(path));
    }

    @Test
    void theDefaultServletServesTheDocumentRootWithTheMimeTypesOfBoot() throws Exception {
        Files.writeString(folder.resolve("a.xyz"), "file");
        factory.setDocumentRoot(folder.toFile());
        MimeMappings types = new MimeMappings();
        types.add("xyz", "text/x-xyz");
        factory.setMimeMappings(types);
        AtomicReference<ServletContext> context = new AtomicReference<>();
        try (Running running = Running.start(factory, context::set)) {
            assertEquals(404, running.get("/a.xyz").statusCode());
            assertNotNull(context.get().getResource("/a.xyz"));
        }
        factory.setRegisterDefaultServlet(true);
        try (Running running = Running.start(factory)) {
            HttpResponse<String> found = running.get("/a.xyz");
            assertEquals("file", found.body());
            assertTrue(found.headers().firstValue("Content-Type").orElse("").startsWith("text/x-xyz"));
            assertEquals(
                    404,
                    running.get("/org/springframework/boot/SpringApplication.class")
                            .statusCode());
        }
    }

    @Test
    void aTemporaryFolderIsUsedIfThereIsNoDocumentRoot() throws Exception {
        AtomicReference<URL> root = new AtomicReference<>();
        AtomicReference<String> path = new AtomicReference<>();
        Running running = Running.start(factory, context -> {
            path.set(context.getRealPath("/"));
            try {
                root.set(context.getResource("/"));
            } catch (java.net.MalformedURLException e) {
                throw new IllegalStateException(e);
            }
        });
        assertNotNull(root.get());
        assertTrue(Files.isDirectory(Path.of(path.get())));
        running.close();
        assertTrue(Files.notExists(Path.of(path.get())));
    }

    @Test
    void libraryResourcesAreServed() throws Exception {
        Path classes = folder.resolve("library");
        Files.createDirectories(classes.resolve("META-INF/resources"));
        Files.writeString(classes.resolve("META-INF/resources/lib.txt"), "of a library");
        factory.setRegisterDefaultServlet(true);
        factory.addContextCustomizers(context -> context.libraryResources(classes));
        try (Running running = Running.start(factory)) {
            assertEquals("of a library", running.get("/lib.txt").body());
        }
    }

    @Test
    void responsesAreCompressedExceptForExcludedUserAgents() throws Exception {
        Compression compression = new Compression();
        compression.setEnabled(true);
        compression.setExcludedUserAgents(new String[] {"Old"});
        factory.setCompression(compression);
        String text = "x".repeat(10_000);
        try (Running running = Running.start(
                factory,
                Running.servlet("/large", (request, response) -> {
                    response.setContentType("text/plain");
                    response.getWriter().print(text);
                }),
                Running.servlet("/small", (request, response) -> {
                    response.setContentType("text/plain");
                    response.setContentLength(1000);
                    response.getWriter().print(text.substring(0, 1000));
                }))) {
            HttpResponse<byte[]> packed = running.bytes("/large", "Accept-Encoding", "gzip");
            assertEquals("gzip", packed.headers().firstValue("Content-Encoding").orElse(""));
            byte[] plain = new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes();
            assertEquals(text, new String(plain, StandardCharsets.US_ASCII));
            assertEquals(
                    10_000,
                    running.bytes("/large", "Accept-Encoding", "gzip", "User-Agent", "Old/1")
                            .body()
                            .length);
            assertEquals(
                    1000, running.bytes("/small", "Accept-Encoding", "gzip").body().length);
        }
    }

    @Test
    void theServerHeaderIsSentOnlyIfItIsConfigured() throws Exception {
        try (Running running = Running.start(factory, SESSION)) {
            assertTrue(running.get("/session").headers().firstValue("Server").isEmpty());
        }
        factory.setServerHeader("MyServer");
        try (Running running = Running.start(factory, SESSION)) {
            assertEquals(List.of("MyServer"), running.get("/session").headers().allValues("Server"));
            assertEquals(List.of("MyServer"), running.get("/nothing").headers().allValues("Server"));
        }
    }

    @Test
    void proxiesOfPrivateNetworksAreTrustedIfForwardHeadersAreEnabled() throws Exception {
        ServletContextInitializer remote = Running.servlet("/remote", (request, response) -> response.getWriter()
                .print(request.getScheme() + " " + request.getRemoteAddr()));
        String[] fields = {"X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto", "https"};
        try (Running running = Running.start(factory, remote)) {
            assertEquals("http 127.0.0.1", running.get("/remote", fields).body());
        }
        factory.setUseForwardHeaders(true);
        try (Running running = Running.start(factory, remote)) {
            assertEquals("https 192.0.2.7", running.get("/remote", fields).body());
        }
    }

    @Test
    void theServerAppliesTheCharsetsAndTheInitParametersAndTheDisplayNameAndTheListeners() throws Exception {
        factory.setLocaleCharsetMappings(Map.of(Locale.GERMAN, StandardCharsets.UTF_16LE));
        factory.setInitParameters(Map.of("a", "alpha"));
        factory.setDisplayName("Shop");
        factory.addWebListeners(Listening.class.getName());
        AtomicReference<ServletContext> context = new AtomicReference<>();
        try (Running running = Running.start(factory, context::set, Running.servlet("/german", (request, response) -> {
            response.setContentType("text/plain");
            response.setLocale(Locale.GERMAN);
            response.getWriter().print("x");
        }))) {
            assertEquals("alpha", context.get().getInitParameter("a"));
            assertEquals("Shop", context.get().getServletContextName());
            String type =
                    running.get("/german").headers().firstValue("Content-Type").orElse("");
            assertTrue(type.toLowerCase(Locale.ROOT).endsWith("utf-16le"), type);
            running.get("/german");
            assertEquals("listening", context.get().getAttribute("listener"));
        }
    }

    /** A listener that is registered by its class name. */
    public static final class Listening implements jakarta.servlet.ServletContextListener {
        @Override
        public void contextInitialized(jakarta.servlet.ServletContextEvent event) {
            event.getServletContext().setAttribute("listener", "listening");
        }
    }

    @Test
    void theContextUsesTheClassLoaderOfTheResourceLoader() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
            factory.setResourceLoader(new org.springframework.core.io.DefaultResourceLoader(loader));
            AtomicReference<ClassLoader> ofContext = new AtomicReference<>();
            try (Running running = Running.start(
                    factory,
                    context -> ofContext.set(context.getClassLoader()),
                    Running.servlet("/loader", (request, response) -> response.getWriter()
                            .print(Thread.currentThread().getContextClassLoader() == loader)))) {
                assertEquals(loader, ofContext.get());
                assertEquals("true", running.get("/loader").body());
            }
        }
    }
}
