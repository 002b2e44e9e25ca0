package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.Packing;
import io.penstock.deploy.application.Greeter;
import io.penstock.deploy.application.GreeterInitializer;
import io.penstock.deploy.application.Leaking;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests that no class loader of an undeployed application stays in memory, even if the application has not released its resources. */
class ClassLoaderLeakTest {
    private static final int REDEPLOYS = 100;
    /** The log file of the tests, as {@code simplelogger.properties} sets it. */
    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<WeakReference<ClassLoader>> loaders = new CopyOnWriteArrayList<>();

    @BeforeEach
    void setLoadersProperty() {
        // This call makes the logger open its file. From then on, the file contains no lines of earlier runs.
        LoggerFactory.getLogger(ClassLoaderLeakTest.class);
        System.getProperties().put(Leaking.LOADERS, loaders);
    }

    @AfterEach
    void removeLoadersProperty() {
        System.getProperties().remove(Leaking.LOADERS);
    }

    private Path war(String descriptor) throws IOException {
        return Packing.empty()
                .with("WEB-INF/web.xml", descriptor)
                .withClasses("WEB-INF/classes/", Leaking.class)
                .withClasses("WEB-INF/classes/", Leaking.class.getDeclaredClasses())
                .archive(folder.resolve("leaking.war"));
    }

    private Path war() throws IOException {
        return war("<web-app version='6.1'/>");
    }

    private static Penstock.Builder local() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(3);
    }

    private void use(Penstock server) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/app/leave");
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals("own " + 64 * 1024, answer.body());
    }

    private long inMemory() {
        System.gc();
        return loaders.stream().filter(loader -> loader.get() != null).count();
    }

    private void awaitInMemory(int most) {
        await().pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertTrue(inMemory() <= most, () -> "class loaders in memory: " + inMemory()));
    }

    @Test
    void aHundredRedeploymentsLeakNoClassLoader() throws Exception {
        Path war = war();
        try (Penstock server = local().war("/app", war).start()) {
            use(server);
            for (int i = 0; i < REDEPLOYS; i++) {
                server.deploy("/app", war);
                use(server);
            }
            assertEquals(REDEPLOYS + 1, loaders.size());
            awaitInMemory(1);
            use(server); // the remaining class loader belongs to the deployed version
            assertTrue(server.undeploy("/app"));
            awaitInMemory(0);
        }
    }

    @Test
    void redeploymentsWithSharedLibrariesLeakNoClassLoader() throws Exception {
        Path libraries = Files.createDirectory(folder.resolve("lib"));
        Packing.empty()
                .withClasses("", GreeterInitializer.class, Greeter.class)
                .archive(libraries.resolve("greet.jar"));
        Path war = war();
        try (Penstock server = local().set("shared-libraries", libraries.toString())
                .war("/app", war)
                .start()) {
            use(server);
            for (int i = 0; i < 5; i++) {
                server.deploy("/app", war);
                use(server);
            }
            awaitInMemory(1);
            assertTrue(server.undeploy("/app"));
            awaitInMemory(0);
        }
    }

    @Test
    void jdbcDriversAreDeregisteredWhenTheApplicationIsUndeployed() throws Exception {
        String name = Leaking.OwnDriver.class.getName();
        try (Penstock server = local().war("/app", war()).start()) {
            assertTrue(server.undeploy("/app"));
        }
        assertTrue(log().contains(
                        "deregistered the JDBC drivers that the application had left registered: [" + name + "]"));
    }

    @Test
    void aLeakedThreadIsLoggedAndKeepsTheApplicationInMemory() throws Exception {
        String name = "left-by-an-application";
        Path war = war("<web-app version='6.1'><context-param><param-name>" + Leaking.THREAD
                + "</param-name><param-value>" + name + "</param-value></context-param></web-app>");
        try (Penstock server = local().war("/app", war).start()) {
            assertTrue(server.undeploy("/app"));
            await().until(() -> log().contains("but 1 of its threads still run and keep its classes in memory: " + name
                    + ". The application should end them in ServletContextListener.contextDestroyed"));
            assertNotEquals(0, inMemory());
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals(name))
                    .forEach(Thread::interrupt);
            awaitInMemory(0);
        }
    }

    /**
     * The application has users that log in, requests that are saved during a login, and servlets with {@code run-as}. The data of these
     * users, requests and servlets must not keep a class loader in memory.
     */
    @Test
    void redeploymentsWithLoginsLeakNoClassLoader() throws Exception {
        String page = "<form-login-page>/login.txt</form-login-page><form-error-page>/login.txt</form-error-page>";
        Path war = Packing.empty()
                .with(
                        "WEB-INF/web.xml",
                        "<web-app version='6.1'><servlet><servlet-name>" + Leaking.LeavingServlet.class.getName()
                                + "</servlet-name><run-as><role-name>staff</role-name></run-as></servlet>"
                                + "<security-constraint><web-resource-collection><web-resource-name>all"
                                + "</web-resource-name><url-pattern>/leave</url-pattern></web-resource-collection>"
                                + "<auth-constraint><role-name>staff</role-name></auth-constraint></security-constraint>"
                                + "<login-config><auth-method>FORM</auth-method><form-login-config>" + page
                                + "</form-login-config></login-config>"
                                + "<security-role><role-name>staff</role-name></security-role></web-app>")
                .with("login.txt", "please log in")
                .withClasses("WEB-INF/classes/", Leaking.class)
                .withClasses("WEB-INF/classes/", Leaking.class.getDeclaredClasses())
                .archive(folder.resolve("guarded.war"));
        try (Penstock server =
                local().realm(GivenRealm.annAndBob()).war("/app", war).start()) {
            logIn(server);
            for (int i = 0; i < 10; i++) {
                server.deploy("/app", war);
                logIn(server);
            }
            assertEquals(11, loaders.size());
            awaitInMemory(1);
            assertTrue(server.undeploy("/app"));
            awaitInMemory(0);
        }
    }

    @Test
    void noLeakIsReportedForAJdkThreadThatAnApplicationStarts() throws Exception {
        String leakMessage = "of its threads still run";
        Path war = war("<web-app version='6.1'><context-param><param-name>" + Leaking.PROCESS
                + "</param-name><param-value>yes</param-value></context-param></web-app>");
        try (Penstock server = local().war("/app", war).start()) {
            int before = log().split(leakMessage, -1).length;
            assertTrue(server.undeploy("/app"));
            // The application started a process. The JDK thread that waited for the end of this process can live for
            // one minute after that end. The thread must not keep the class loader in memory.
            await().pollInterval(Duration.ofMillis(200)).untilAsserted(() -> assertEquals(0, inMemory()));
            assertEquals(before, log().split(leakMessage, -1).length);
        }
    }

    @Test
    void noClassLoaderLeaksAndAllResourcesAreReleasedIfAnApplicationFailsToStart() throws Exception {
        Path war = war("<web-app version='6.1'><listener><listener-class>" + Leaking.Own.class.getName()
                + "</listener-class></listener></web-app>");
        try (Penstock server = local().start()) {
            int before = log().split("not all resources could be released", -1).length;
            assertThrows(DeployException.class, () -> server.deploy("/app", war));
            assertEquals(before, log().split("not all resources could be released", -1).length);
            awaitInMemory(0);
        }
    }

    private static void logIn(Penstock server) throws IOException {
        String form = "j_username=ann&j_password=secret";
        RawExchange asked = RawExchange.get(server, "/app/leave");
        assertEquals("please log in", asked.body());
        RawExchange redirect = RawExchange.of(
                server,
                "POST /app/j_security_check HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: " + cookie(asked)
                        + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                        + "\r\n\r\n" + form);
        assertEquals(
                "own " + 64 * 1024,
                RawExchange.get(server, "/app/leave", "Cookie: " + cookie(redirect))
                        .body());
        // The server saves this request. No login follows, so the saved request stays in the session.
        assertEquals("please log in", RawExchange.get(server, "/app/leave").body());
    }

    private static String cookie(RawExchange answer) {
        return answer.values("Set-Cookie").get(0).split(";", 2)[0];
    }

    private static String log() throws IOException {
        return Files.readString(LogInjectionTest.LOG, Charset.defaultCharset());
    }
}
