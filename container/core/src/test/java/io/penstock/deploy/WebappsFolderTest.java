package io.penstock.deploy;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.RecordedLog;
import io.penstock.context.Encodings;
import io.penstock.context.OpenWebSockets;
import io.penstock.context.WebContext;
import io.penstock.deploy.application.PlainServlet;
import io.penstock.deploy.application.ThrowingListener;
import io.penstock.dispatch.ContextTable;
import io.penstock.dispatch.Dispatchers;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.files.SmallFiles;
import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.security.Logins;
import io.penstock.work.RequestQueue;
import io.penstock.work.Scheduler;
import io.penstock.work.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the deployment of applications from a watched folder. Each test calls {@code scan()} itself. Therefore, no test depends on timing.
 */
final class WebappsFolderTest {
    @TempDir
    Path folder;

    private Path webapps;
    private Path temporary;
    private final RequestQueue queue = new RequestQueue(10, 1);
    private final Workers workers = new Workers(queue, 1, "", Rounds.unwatched());
    private final Scheduler scheduler = new Scheduler("", Rounds.unwatched());
    private final ContextTable table = new ContextTable();
    private final RecordedLog log = new RecordedLog();
    private Applications applications;
    private WebappsFolder watched;
    private int changes;

    /** Runs in each deployment, after the archive has been unpacked. */
    private Runnable duringDeployment = () -> {};

    @BeforeEach
    void setUp() throws Exception {
        webapps = Files.createDirectory(folder.resolve("webapps"));
        temporary = Files.createDirectory(folder.resolve("temporary"));
        Deployer deployer = new Deployer(new DeploymentServices(
                new Dispatchers(),
                (asker, path) -> table.find("", path),
                Runnable::run,
                InstantSource.system(),
                ServerSessionStores.inMemory(),
                declarations -> {
                    duringDeployment.run();
                    return EnvironmentProvider.ENTRIES_ONLY.open(declarations);
                },
                new SmallFiles(0),
                Encodings.NONE,
                Logins.none(),
                this::settings,
                new Counters(),
                OpenWebSockets.unlimited(),
                temporary));
        ServerThreads threads = new ServerThreads(queue, workers, scheduler);
        applications = new Applications(deployer, table, threads, Duration.ZERO, new Counters());
        watched = new WebappsFolder(webapps, applications, threads, log);
        workers.start();
    }

    private ApplicationSettings settings(String contextPath) {
        if (contextPath.equals("/unforeseen")) {
            throw new IllegalStateException("a bug");
        }
        return Configuration.defaults().application(contextPath);
    }

    @AfterEach
    void end() throws Exception {
        workers.stop(PATIENCE);
        applications.stop();
        scheduler.stop();
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private static Packing version(String text) {
        return Packing.empty().with("version.txt", text).with("WEB-INF/note.txt", "an application");
    }

    /**
     * Puts a file into the folder in one step. Gives each file a different modification time, since a file system can round two real times
     * to the same value.
     */
    private void put(String name, Packing packing) throws Exception {
        put(name, packing.archive());
    }

    private void put(String name, byte[] content) throws Exception {
        Path beside = Files.write(folder.resolve("beside"), content);
        touch(beside);
        Files.move(beside, webapps.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private void touch(Path file) throws Exception {
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_700_000_000L + 10L * ++changes)));
    }

    private String served(String path) throws Exception {
        WebContext context = table.find("", path);
        if (context == null) {
            return "none";
        }
        return Files.readString(Path.of(context.getRealPath("/version.txt")));
    }

    /**
     * Scans the folder, and waits until all changes are deployed. The only worker runs the deployment first, and then the task that this
     * method adds.
     */
    private void scanOnce() throws DeploymentException {
        watched.scan();
        assertEquals("done", WorkerTask.carryOut(queue, () -> "done"));
    }

    private void scanTwice() throws DeploymentException {
        scanOnce();
        scanOnce();
    }

    @Test
    void allApplicationsInTheFolderAreServedAfterTheStart() throws Exception {
        put("shop.war", version("1"));
        put("ROOT.war", version("root"));
        put("a#b.war", version("below"));
        version("unpacked").folder(webapps.resolve("site"));
        Files.createDirectory(webapps.resolve("pictures"));
        put(".hidden.war", version("hidden"));
        put("notes.txt", "no application".getBytes(StandardCharsets.UTF_8));
        watched.open();
        assertEquals("1", served("/shop/x"));
        assertEquals("below", served("/a/b/x"));
        assertEquals("unpacked", served("/site/x"));
        assertEquals("root", served("/pictures/x"));
        assertEquals(4, table.all().size());
    }

    private List<String> errors() {
        return log.lines().stream().filter(line -> line.startsWith("ERROR ")).toList();
    }

    @Test
    void anInvalidDescriptorIsLoggedInOneLineWithoutAStackTrace() throws Exception {
        put("shop.war", Packing.empty().with("WEB-INF/web.xml", "<web-app>\n<servlt/></web-app>"));
        watched.open();
        assertEquals(
                List.of("ERROR Not deployed: " + webapps.resolve("shop.war")
                        + ": WEB-INF/web.xml:2: <servlt> is not an element of <web-app>"),
                errors());
        assertEquals(List.of(), log.thrown());
    }

    @Test
    void anExceptionOfAnApplicationIsLoggedOnceWithItsStackTrace() throws Exception {
        put("shop.war", Packing.empty().withClasses("WEB-INF/classes/", ThrowingListener.class));
        watched.open();
        assertEquals(1, errors().size(), errors()::toString);
        assertTrue(errors().get(0).contains("java.lang.NumberFormatException"), errors()::toString);
        assertEquals(NumberFormatException.class, log.thrown().get(0).getClass());
        assertEquals(1, log.thrown().size());
    }

    @Test
    void aBugOfTheServerIsLoggedOnceWithItsStackTrace() throws Exception {
        put("unforeseen.war", version("1"));
        watched.open();
        assertEquals(
                List.of("ERROR Not deployed: " + webapps.resolve("unforeseen.war")
                        + ": cannot be deployed: java.lang.IllegalStateException: a bug"),
                errors());
        assertEquals("a bug", log.thrown().get(0).getMessage());
        assertEquals(1, log.thrown().size());
    }

    @Test
    void aMissingWebappsFolderIsReported() throws Exception {
        Files.delete(webapps);
        DeploymentException e = assertThrows(DeploymentException.class, watched::open);
        assertEquals("webapps: " + webapps + ": no such folder", e.getMessage());
    }

    @Test
    void aFileIsDeployedWhenTwoScansHaveFoundTheSameVersionOfTheFile() throws Exception {
        watched.open();
        byte[] war = version("1").archive();
        put("shop.war", Arrays.copyOf(war, war.length / 2));
        scanOnce();
        put("shop.war", war);
        scanOnce();
        assertEquals("none", served("/shop"));
        scanOnce();
        assertEquals("1", served("/shop"));
    }

    @Test
    void theOldVersionIsServedUntilTheNewFileIsComplete() throws Exception {
        put("shop.war", version("1"));
        watched.open();
        byte[] war = version("2").archive();
        put("shop.war", Arrays.copyOf(war, war.length / 2));
        scanTwice();
        assertEquals("1", served("/shop"));
        put("shop.war", war);
        scanTwice();
        assertEquals("2", served("/shop"));
    }

    @Test
    void aReplacedFileIsDeployedAndTheOldVersionIsStopped() throws Exception {
        put("shop.war", version("1"));
        watched.open();
        WebContext former = table.find("", "/shop");
        put("shop.war", version("2"));
        scanTwice();
        assertEquals("2", served("/shop"));
        assertNotSame(former, table.find("", "/shop"));
        await().until(() -> former.life() == WebContext.Life.STOPPED);
    }

    @Test
    void aFileThatCannotBeLookedAtAfterItsDeploymentIsDeployedLater() throws Exception {
        watched.open();
        put("shop.war", version("1"));
        scanOnce();
        duringDeployment = () -> {
            try {
                Path war = webapps.resolve("shop.war");
                Files.delete(war);
                Files.createSymbolicLink(war, war); // its attributes cannot be read
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        scanOnce();
        assertEquals("none", served("/shop"));
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
        assertEquals(List.of(), errors());

        duringDeployment = () -> {};
        put("shop.war", version("1"));
        scanTwice();
        assertEquals("1", served("/shop"));
    }

    @Test
    void anArchiveWhoseNameCannotBeAContextPathIsLoggedOnce() throws Exception {
        put("shop##2.war", version("2"));
        put(".hidden.war", version("hidden"));
        watched.open();
        scanTwice();
        assertEquals(
                List.of("WARN " + webapps.resolve("shop##2.war")
                        + " is not served, because its name cannot be a context path: there are no versions side by side,"
                        + " so leave out ## and what is behind it"),
                log.lines());
        assertEquals(List.of(), table.all());
    }

    @Test
    void anUnchangedFileIsNotDeployedAgain() throws Exception {
        put("shop.war", version("1"));
        watched.open();
        WebContext context = table.find("", "/shop");
        scanTwice();
        scanTwice();
        assertSame(context, table.find("", "/shop"));
    }

    @Test
    void anApplicationIsUndeployedAfterItsFileWasDeleted() throws Exception {
        put("shop.war", version("1"));
        watched.open();
        WebContext former = table.find("", "/shop");
        Files.delete(webapps.resolve("shop.war"));
        scanOnce();
        assertEquals("1", served("/shop"));
        scanOnce();
        assertNull(table.find("", "/shop"));
        await().until(() -> former.life() == WebContext.Life.STOPPED);
    }

    @Test
    void anApplicationIsNotUndeployedIfItsFileIsMissingInOnlyOneScan() throws Exception {
        put("shop.war", version("1"));
        watched.open();
        Files.delete(webapps.resolve("shop.war"));
        scanOnce();
        put("shop.war", version("2"));
        scanOnce();
        assertEquals("1", served("/shop"));
        scanOnce();
        assertEquals("2", served("/shop"));
    }

    @Test
    void anUnpackedApplicationIsDeployedAgainAfterAChangeOfItsDescriptor() throws Exception {
        Path site = version("1").with("WEB-INF/web.xml", "<web-app/>").folder(webapps.resolve("site"));
        touch(site.resolve("WEB-INF/web.xml"));
        touch(site.resolve("WEB-INF"));
        watched.open();
        WebContext first = table.find("", "/site");
        Files.writeString(site.resolve("version.txt"), "1a");
        scanTwice();
        assertSame(first, table.find("", "/site"));

        Files.writeString(site.resolve("WEB-INF/web.xml"), "<web-app version='6.1'/>");
        scanTwice();
        WebContext second = table.find("", "/site");
        assertNotSame(first, second);

        touch(site.resolve("WEB-INF"));
        scanTwice();
        assertNotSame(second, table.find("", "/site"));
    }

    @Test
    void theOldVersionIsServedIfTheNewVersionIsInvalid() throws Exception {
        put("shop.war", version("1"));
        watched.open();
        WebContext former = table.find("", "/shop");
        put("shop.war", version("2").with("WEB-INF/web.xml", "<web-app><servlet></web-app>"));
        scanTwice();
        assertSame(former, table.find("", "/shop"));
        assertEquals(WebContext.Life.AVAILABLE, former.life());
        put("shop.war", version("3"));
        scanTwice();
        assertEquals("3", served("/shop"));
    }

    @Test
    void anInvalidApplicationDoesNotAffectOtherApplications() throws Exception {
        put(
                "bad.war",
                version("bad")
                        .with(
                                "WEB-INF/web.xml",
                                "<web-app><servlet><servlet-name>a</servlet-name><servlet-class>Nowhere</servlet-class></servlet></web-app>"));
        put("good.war", version("good"));
        watched.open();
        assertEquals("good", served("/good"));
        assertNull(table.find("", "/bad"));
        scanTwice();
        assertNull(table.find("", "/bad"));
        put("bad.war", version("mended"));
        scanTwice();
        assertEquals("mended", served("/bad"));
    }

    @Test
    void aWarFileWinsOverAFolderOfTheSameName() throws Exception {
        put("shop.war", version("packed"));
        version("unpacked").folder(webapps.resolve("shop"));
        watched.open();
        assertEquals("packed", served("/shop"));
        String warning = "WARN " + webapps.resolve("shop") + " is not served, because " + webapps.resolve("shop.war")
                + " has the same name";
        assertTrue(log.lines().contains(warning), log.lines()::toString);
        Files.delete(webapps.resolve("shop.war"));
        scanTwice();
        assertEquals("unpacked", served("/shop"));
    }

    @Test
    void anArchiveIsServedWhateverTheCaseOfItsExtension() throws Exception {
        put("Shop.WAR", version("1"));
        put("ROOT.War", version("root"));
        watched.open();
        assertEquals("1", served("/Shop"));
        assertEquals("root", served("/shop"));
        put("Shop.WAR", version("2"));
        scanTwice();
        assertEquals("2", served("/Shop"));
        Files.delete(webapps.resolve("Shop.WAR"));
        scanTwice();
        assertEquals("root", served("/Shop"));
    }

    /** On a file system without upper and lower case there is only one of these files. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void theLowerCaseExtensionWinsAndTheOtherArchiveIsReportedOnce() throws Exception {
        put("shop.WAR", version("upper"));
        put("shop.war", version("lower"));
        put("shop.War", version("both"));
        watched.open();
        scanTwice();
        assertEquals("lower", served("/shop"));
        for (String name : List.of("shop.WAR", "shop.War")) {
            String warning = "WARN " + webapps.resolve(name)
                    + " is not served, because another application has the same name; only the case of .war differs";
            assertEquals(1, Collections.frequency(log.lines(), warning), log.lines()::toString);
        }
        Files.delete(webapps.resolve("shop.war"));
        scanTwice();
        assertEquals("both", served("/shop"));
    }

    @Test
    void aFileInTheFolderDoesNotReplaceAnApplicationThatWasDeployedByCode() throws Exception {
        Path other = version("named").archive(folder.resolve("other.war"));
        WebApplication named = applications.deploy(Applications.Deployable.of("/shop", other));
        put("shop.war", version("watched"));
        watched.open();
        scanTwice();
        assertEquals("named", served("/shop"));
        Files.delete(webapps.resolve("shop.war"));
        scanTwice();
        assertSame(named, applications.find("/shop"));
    }

    @Test
    void noApplicationIsUndeployedWhileTheFolderCannotBeRead() throws Exception {
        put("shop.war", version("1"));
        watched.open();
        Path elsewhere = Files.move(webapps, folder.resolve("elsewhere"));
        scanTwice();
        scanTwice();
        assertEquals("1", served("/shop"));
        Files.move(elsewhere, webapps);
        scanTwice();
        assertEquals("1", served("/shop"));
    }

    @Test
    void anApplicationIsStoppedEvenIfARequestDoesNotEnd() throws Exception {
        Path war =
                version("1").withClasses("WEB-INF/classes/", PlainServlet.class).archive(folder.resolve("shop.war"));
        WebApplication application = applications.deploy(Applications.Deployable.of("/shop", war));
        // The request that begins here never ends.
        assertNotNull(application.context().inFlight().enter());
        assertTrue(applications.undeploy("/shop"));
        assertEquals(WebContext.Life.STOPPED, application.context().life());
        assertFalse(applications.undeploy("/shop"));
    }
}
