package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.Packing;
import io.penstock.deploy.application.PlainServlet;
import io.penstock.develop.application.StartServlet;
import java.io.IOException;
import java.net.URI;
import java.net.URLConnection;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests applications in development mode. After a change of the files, the next request gets the new version of the application. */
class DevelopmentTest {
    private static final String PAGE = "text/html,application/xhtml+xml";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Semaphore starts = new Semaphore(0);
    private final Semaphore mayStart = new Semaphore(0);
    private Path web;
    private Path classes;

    @BeforeEach
    void writeApplication() throws IOException {
        System.getProperties().put(StartServlet.STARTS, starts);
        System.getProperties().put(StartServlet.MAY_START, mayStart);
        web = Packing.empty().with("static.txt", "one").folder(folder.resolve("web"));
        classes = Packing.empty()
                .withClasses("", StartServlet.class)
                .with("version.txt", "1")
                .folder(folder.resolve("classes"));
    }

    @AfterEach
    void removeProperties() {
        mayStart.release(1000);
        System.getProperties().remove(StartServlet.STARTS);
        System.getProperties().remove(StartServlet.MAY_START);
    }

    private Penstock start() throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .develop("/shop", web, sources -> sources.classes(classes))
                .start();
    }

    private void version(String text) throws IOException {
        Files.writeString(classes.resolve("version.txt"), text);
    }

    private static HttpRequest request(Penstock server, String path, String... fields) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/shop" + path))
                .timeout(PATIENCE);
        return fields.length == 0 ? request.build() : request.headers(fields).build();
    }

    private HttpResponse<String> get(Penstock server, String path, String... fields) throws Exception {
        return client.send(request(server, path, fields), HttpResponse.BodyHandlers.ofString());
    }

    private CompletableFuture<HttpResponse<String>> begin(Penstock server, String path) {
        return client.sendAsync(request(server, path), HttpResponse.BodyHandlers.ofString());
    }

    private void awaitStart() throws InterruptedException {
        assertTrue(starts.tryAcquire(60, TimeUnit.SECONDS));
    }

    @Test
    void eachRequestGetsTheNewestVersionOfTheApplication() throws Exception {
        try (Penstock server = start()) {
            assertEquals("1", get(server, "/version").body());
            for (int next = 2; next < 5; next++) {
                version(Integer.toString(next));
                assertEquals(Integer.toString(next), get(server, "/version").body());
            }
            assertEquals(4, starts.availablePermits());
        }
    }

    @Test
    void requestsWaitUntilTheNewVersionHasStarted() throws Exception {
        try (Penstock server = start()) {
            awaitStart();
            version("held 2");
            CompletableFuture<HttpResponse<String>> first = begin(server, "/version");
            awaitStart();
            CompletableFuture<HttpResponse<String>> second = begin(server, "/version");
            CompletableFuture<HttpResponse<String>> third = begin(server, "/version");
            CompletableFuture<HttpResponse<String>> file = begin(server, "/static.txt");
            mayStart.release();
            assertEquals("held 2", first.get(60, TimeUnit.SECONDS).body());
            assertEquals(
                    "held 2", second.get(60, TimeUnit.SECONDS).body(), "waiting requests must not occupy the workers");
            assertEquals("held 2", third.get(60, TimeUnit.SECONDS).body());
            assertEquals("one", file.get(60, TimeUnit.SECONDS).body());
        }
    }

    @Test
    void changedStaticFilesAreServedWithoutARestartOfTheApplication() throws Exception {
        try (Penstock server = start()) {
            assertEquals("one", get(server, "/static.txt").body());
            Files.writeString(web.resolve("static.txt"), "another");
            Files.writeString(web.resolve("new.txt"), "new");
            assertEquals("another", get(server, "/static.txt").body());
            assertEquals("new", get(server, "/new.txt").body());
            assertEquals(1, starts.availablePermits());
        }
    }

    @Test
    void rewritingAFileWithTheSameContentStartsNoNewVersion() throws Exception {
        try (Penstock server = start()) {
            version("1");
            Files.setLastModifiedTime(
                    classes.resolve("version.txt"), FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
            assertEquals("1", get(server, "/version").body());
            assertEquals(1, starts.availablePermits());
        }
    }

    @Test
    void browsersGetTheErrorOfAFailedVersionAndOtherClientsGetTheFormerVersion() throws Exception {
        try (Penstock server = start()) {
            version("broken");
            assertEquals(
                    "1", get(server, "/version").body(), "a client that is not a browser must get the former version");
            HttpResponse<String> shown = get(server, "/version", "Accept", PAGE, "Sec-Fetch-Dest", "document");
            assertEquals(500, shown.statusCode());
            assertTrue(shown.body().contains("no &lt;database&gt; &amp; no tables"), shown.body());
            assertTrue(
                    shown.body()
                            .contains(
                                    "\tat " + StartServlet.class.getName() + ".contextInitialized(StartServlet.java:"),
                    "the stack frame must not contain the name of a class loader: " + shown.body());
            assertTrue(
                    shown.body()
                            .contains(" frames of the server</summary><pre class=\"jdk\">\tat io.penstock.context."),
                    shown.body());
            assertEquals(
                    "1",
                    get(server, "/version", "Accept", PAGE, "Sec-Fetch-Dest", "iframe")
                            .body());
            assertEquals(
                    "1",
                    get(server, "/version", "Accept", PAGE, "Cookie", "a=b; penstock-failed-version=1")
                            .body());
            assertEquals(
                    204, get(server, "/version", "Penstock-Failed-Version", "1").statusCode());

            version("broken too");
            assertEquals(
                    205, get(server, "/version", "Penstock-Failed-Version", "1").statusCode());
            assertEquals(
                    500,
                    get(server, "/version", "Accept", PAGE, "Cookie", "penstock-failed-version=1")
                            .statusCode(),
                    "the cookie of an earlier failure must not hide a new failure");

            version("3");
            assertEquals("3", get(server, "/version", "Accept", PAGE).body());
            assertEquals(
                    205, get(server, "/version", "Penstock-Failed-Version", "2").statusCode());
        }
    }

    @Test
    void theServerStartsEvenIfTheFirstVersionFails() throws Exception {
        version("broken");
        try (Penstock server = start()) {
            HttpResponse<String> shown = get(server, "/anything");
            assertEquals(500, shown.statusCode());
            assertTrue(shown.body().contains("no <database> & no tables"), shown.body());
            assertFalse(shown.body().contains("former"), "the page mentions a former version, but there is none");
            version("2");
            assertEquals("2", get(server, "/version").body());
            assertEquals(404, get(server, "/anything").statusCode());
        }
    }

    @Test
    void aRequestDuringACompilationWaitsForAllClassFiles() throws Exception {
        try (Penstock server = start()) {
            Path compiled = classes.resolve(StartServlet.class.getName().replace('.', '/') + ".class");
            byte[] content = Files.readAllBytes(compiled);
            Files.delete(compiled);
            CompletableFuture<HttpResponse<String>> waiting = begin(server, "/version");
            awaitRequest(server);
            assertFalse(waiting.isDone());
            version("2");
            Files.write(compiled, content);
            assertEquals("2", waiting.get(60, TimeUnit.SECONDS).body());
            assertEquals(2, starts.availablePermits(), "an incomplete version was started");
        }
    }

    /** Starts a server that compiles the sources itself. */
    private Penstock startWithSources() throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .develop("/shop", web, sources -> sources.classes(classes).java(folder.resolve("java")))
                .start();
    }

    private void source(String name, String path, String statement) throws IOException {
        Path source = folder.resolve("java/a/" + name + ".java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, """
                package a;
                @jakarta.servlet.annotation.WebServlet("%s")
                public class %s extends jakarta.servlet.http.HttpServlet {
                    @Override
                    protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                            jakarta.servlet.http.HttpServletResponse response) throws java.io.IOException {
                        %s
                    }
                }
                """.formatted(path, name, statement));
    }

    private static String print(String text) {
        return "response.getWriter().print(\"" + text + "\");";
    }

    @Test
    void theErrorsOfTheCompilerAreShownAndTheFirstRequestAfterTheRepairGetsTheNewVersion() throws Exception {
        source("Till", "/till", print("one"));
        try (Penstock server = startWithSources()) {
            assertEquals("one", get(server, "/till").body());
            source("Till", "/till", print("two"));
            assertEquals("two", get(server, "/till").body());

            source("Till", "/till", "List<String> none = 1;");
            HttpResponse<String> shown = get(server, "/till", "Accept", PAGE);
            assertEquals(500, shown.statusCode());
            assertTrue(shown.body().contains("<h1>/shop does not compile</h1>"), shown.body());
            assertTrue(shown.body().contains("Till.java:7: error: cannot find symbol\n"), shown.body());
            assertTrue(shown.body().contains("List&lt;String&gt; none = 1;\n"), shown.body());
            assertEquals("two", get(server, "/till").body(), "programs get the former version");

            source("Till", "/till", print("three"));
            assertEquals("three", get(server, "/till", "Accept", PAGE).body());
        }
    }

    @Test
    void aSourceThatDoesNotCompileAtTheStartIsRepairedWithoutARestartOfTheServer() throws Exception {
        source("Till", "/till", "nothing");
        try (Penstock server = startWithSources()) {
            HttpResponse<String> shown = get(server, "/till");
            assertEquals(500, shown.statusCode());
            assertTrue(shown.body().contains("error: not a statement"), shown.body());
            source("Till", "/till", print("one"));
            assertEquals("one", get(server, "/till").body());
        }
    }

    @Test
    void theClassOfARenamedSourceIsNoLongerPartOfTheApplication() throws Exception {
        source("Till", "/till", print("one"));
        Files.createDirectories(classes.resolve("a"));
        Files.writeString(classes.resolve("a/Till.class"), "left by a build");
        try (Penstock server = startWithSources()) {
            assertEquals("one", get(server, "/till").body());
            Files.delete(folder.resolve("java/a/Till.java"));
            source("Desk", "/till", print("two"));
            assertEquals("two", get(server, "/till").body());
            source("Desk", "/till", "Till.class.getName();");
            assertTrue(get(server, "/till", "Accept", PAGE).body().contains("symbol:   class Till"));
        }
    }

    @Test
    void aBuildThatDeletesTheClassesOfCompiledSourcesDelaysNoRequest() throws Exception {
        source("Till", "/till", print("one"));
        Path built = classes.resolve("a/Till.class");
        Files.createDirectories(built.getParent());
        Files.writeString(built, "of a build");
        try (Penstock server = startWithSources()) {
            Files.delete(built);
            assertEquals("one", get(server, "/till", "Accept", PAGE).body());
            assertEquals(1, starts.availablePermits(), "no new version may start");
        }
    }

    @Test
    void aBrowserSeesThatABuildHasDeletedTheClassesAndGetsTheNewVersionAfterwards() throws Exception {
        try (Penstock server = start()) {
            Path compiled = classes.resolve(StartServlet.class.getName().replace('.', '/') + ".class");
            byte[] content = Files.readAllBytes(compiled);
            Files.delete(compiled);
            HttpResponse<String> shown = get(server, "/version", "Accept", PAGE);
            assertEquals(500, shown.statusCode());
            assertTrue(shown.body().contains("all classes of WEB-INF/classes are gone"), shown.body());
            version("2");
            Files.write(compiled, content);
            assertEquals("2", get(server, "/version", "Accept", PAGE).body());
        }
    }

    @Test
    void classesAndResourcesOfAnotherModuleAreServed() throws Exception {
        Path module = Packing.empty()
                .withClasses("", PlainServlet.class)
                .with("META-INF/resources/of-the-module.txt", "of the module")
                .folder(folder.resolve("module"));
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .develop("/shop", web, sources -> sources.classes(classes).library("module.jar", module))
                .start()) {
            assertEquals(
                    405,
                    get(server, "/plain").statusCode(),
                    "the request did not reach the annotated servlet of the module");
            assertEquals("of the module", get(server, "/of-the-module.txt").body());
            Path compiled = module.resolve(PlainServlet.class.getName().replace('.', '/') + ".class");
            byte[] content = Files.readAllBytes(compiled);
            Files.delete(compiled);
            assertTrue(
                    get(server, "/plain", "Accept", PAGE).body().contains("all classes of WEB-INF/lib/module.jar are"));
            Files.write(compiled, content);
            Files.writeString(module.resolve("META-INF/resources/of-the-module.txt"), "changed");
            assertEquals("1", get(server, "/version").body());
            assertEquals("changed", get(server, "/of-the-module.txt").body());
        }
    }

    @Test
    void filesOfARecreatedFolderAreServedAgain() throws Exception {
        Path overlay = Packing.empty().with("of-the-overlay.txt", "overlay").folder(folder.resolve("overlay"));
        Path moved = folder.resolve("moved");
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .develop("/shop", web, sources -> sources.classes(classes)
                        .files(folder.resolve("not yet"))
                        .files(overlay))
                .start()) {
            assertEquals("overlay", get(server, "/of-the-overlay.txt").body());
            Files.move(overlay, moved);
            assertEquals(404, get(server, "/of-the-overlay.txt").statusCode());
            version("2");
            assertEquals("2", get(server, "/version").body(), "the new version must start without the folder");
            Files.move(moved, overlay);
            Packing.empty().with("late.txt", "late").folder(folder.resolve("not yet"));
            version("3");
            assertEquals("3", get(server, "/version").body());
            assertEquals("overlay", get(server, "/of-the-overlay.txt").body());
            assertEquals("late", get(server, "/late.txt").body());
        }
    }

    @Test
    void twoApplicationsWithTheSameContextPathAreRejected() {
        Penstock.Builder two = Penstock.builder().host("127.0.0.1").port(0).develop("/shop", web, sources -> {});
        IllegalArgumentException developed =
                assertThrows(IllegalArgumentException.class, () -> two.develop("/shop", classes, sources -> {}));
        assertEquals(
                "two applications have the context path /shop: " + web + " and " + classes, developed.getMessage());
        StartException served = assertThrows(
                StartException.class, () -> two.war("/shop", classes).start());
        assertEquals("two applications have the context path /shop: " + classes + " and " + web, served.getMessage());
    }

    @Test
    void theServerDisablesTheJarCacheOfTheJdk() throws Exception {
        boolean before = URLConnection.getDefaultUseCaches("jar");
        URLConnection.setDefaultUseCaches("jar", true);
        try (Penstock server = start()) {
            assertEquals("1", get(server, "/version").body());
            assertFalse(URLConnection.getDefaultUseCaches("jar"));
        } finally {
            URLConnection.setDefaultUseCaches("jar", before);
        }
    }

    @Test
    void aWaitingRequestGetsTheFormerVersionWhenTheServerStops() throws Exception {
        CompletableFuture<HttpResponse<String>> waiting;
        try (Penstock server = start()) {
            Files.delete(classes.resolve(StartServlet.class.getName().replace('.', '/') + ".class"));
            waiting = begin(server, "/version");
            awaitRequest(server);
        }
        assertEquals("1", waiting.get(60, TimeUnit.SECONDS).body(), "the former version must answer");
    }

    /** Waits until the request has reached the server. */
    private static void awaitRequest(Penstock server) {
        await().atMost(PATIENCE).until(() -> server.dump().contains("GET /shop/version"));
    }
}
