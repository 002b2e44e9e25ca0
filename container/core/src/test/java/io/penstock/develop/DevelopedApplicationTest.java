package io.penstock.develop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.RecordedLog;
import io.penstock.deploy.ApplicationContent;
import io.penstock.deploy.DeploymentException;
import io.penstock.deploy.RunningStart;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.FakeExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests in which cases a request to an application in development waits for a scan. A scan searches for changed files. This class
 * simulates the clock and runs the scans.
 */
class DevelopedApplicationTest {
    @TempDir
    Path folder;

    private Path file;
    private long nanos;

    /** The simulated clock advances by this time at each reading. */
    private Duration clockStep = Duration.ZERO;

    /** An action that runs during the next scan, at the moment when the scan reads the clock. */
    private Runnable duringNextScan = () -> {};

    private final Deque<Runnable> queuedScans = new ArrayDeque<>();
    private final Deque<Later> later = new ArrayDeque<>();

    /** An action that runs during the start of the next version. */
    private Runnable duringNextStart = () -> {};

    private final List<ApplicationContent> deployed = new ArrayList<>();
    private final List<Exchange> served = new ArrayList<>();
    private final RecordedLog log = new RecordedLog();
    private DevelopedApplication application;

    private record Later(Duration delay, Runnable task) {}

    /** A simulated server. Records the deployed versions and the tasks for scans. */
    private final class SimulatedServer implements DevelopedApplication.Surroundings {
        @Override
        public void deploy(ApplicationContent version, RunningStart start) {
            start.begin();
            Runnable now = duringNextStart;
            duringNextStart = () -> {};
            now.run();
            deployed.add(version);
        }

        @Override
        public void deployNothing() {
            throw new AssertionError("deployNothing() was called, but no version fails in these tests");
        }

        @Override
        public void onWorker(Runnable task) {
            queuedScans.add(task);
        }

        @Override
        public void after(Duration delay, Runnable task) {
            later.add(new Later(delay, task));
        }
    }

    @BeforeEach
    void open() throws IOException, DeploymentException {
        Path web = Files.createDirectories(folder.resolve("web/WEB-INF"));
        Path copies = Files.createDirectory(folder.resolve("copies"));
        file = Files.writeString(web.resolve("web.xml"), "<web-app/>");
        SourceTree tree = new SourceTree(List.of(web.getParent()), List.of(), Map.of(), JavaSources.NONE);
        SourceChanges changes = new SourceChanges(tree, this::nanos, new ContentHashes(InstantSource.system()));
        application = new DevelopedApplication(
                "/", tree, changes, this::nanos, copies, served::add, new SimulatedServer(), log);
        application.open();
        assertEquals(1, deployed.size());
        later.clear();
    }

    @AfterEach
    void removeCopies() throws Exception {
        for (ApplicationContent version : deployed) {
            version.owned().close();
        }
    }

    private long nanos() {
        Runnable now = duringNextScan;
        duringNextScan = () -> {};
        now.run();
        nanos += clockStep.toNanos();
        return nanos;
    }

    private void change() throws IOException {
        Files.writeString(file, Files.readString(file) + " ");
    }

    /** Runs the delayed scans and the queued scans. */
    private void scan() {
        for (Later due = later.poll(); due != null; due = later.poll()) {
            due.task().run();
        }
        for (Runnable queuedScan = queuedScans.poll(); queuedScan != null; queuedScan = queuedScans.poll()) {
            queuedScan.run();
        }
    }

    private void scanAfter(Duration time) {
        nanos += time.toNanos();
        scan();
    }

    private FakeExchange sendRequest(DevelopedApplication.Kind kind) throws Exception {
        FakeExchange exchange = FakeExchange.of("GET /");
        application.arrive(exchange, kind);
        return exchange;
    }

    private boolean isServed(FakeExchange exchange) {
        exchange.runJobs();
        return served.contains(exchange);
    }

    @Test
    void aRequestIsServedAfterAScanHasFoundNoChanges() throws Exception {
        FakeExchange request = sendRequest(DevelopedApplication.Kind.OTHER);
        assertFalse(isServed(request));
        scan();
        assertTrue(isServed(request));
        assertTrue(
                isServed(sendRequest(DevelopedApplication.Kind.FILE)), "a request for a file must not wait for a scan");
        assertEquals(1, deployed.size());
    }

    @Test
    void allRequestsWaitWhileFilesChange() throws Exception {
        change();
        FakeExchange first = sendRequest(DevelopedApplication.Kind.OTHER);
        scan();
        FakeExchange second = sendRequest(DevelopedApplication.Kind.FILE);
        assertFalse(isServed(first) || isServed(second));
        scanAfter(SourceChanges.REST);
        assertTrue(isServed(first) && isServed(second));
        assertEquals(2, deployed.size());
    }

    @Test
    void aRequestThatArrivesDuringAScanWaitsForTheNextScan() throws Exception {
        change();
        FakeExchange first = sendRequest(DevelopedApplication.Kind.OTHER);
        scan();
        List<FakeExchange> second = new ArrayList<>();
        duringNextScan = () -> {
            try {
                change();
                second.add(sendRequest(DevelopedApplication.Kind.OTHER));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        scanAfter(SourceChanges.REST);
        assertFalse(isServed(second.get(0)));
        scan();
        scanAfter(SourceChanges.REST);
        assertTrue(isServed(first) && isServed(second.get(0)));
    }

    @Test
    void repeatedChangesOfFilesDoNotBlockRequestsForever() throws Exception {
        change();
        FakeExchange waiting = sendRequest(DevelopedApplication.Kind.OTHER);
        scan();
        for (Duration waited = Duration.ZERO;
                waited.compareTo(DevelopedApplication.LONGEST) <= 0;
                waited = waited.plusSeconds(1)) {
            assertFalse(isServed(waiting), "the request was served after " + waited);
            change();
            scanAfter(Duration.ofSeconds(1));
        }
        assertTrue(isServed(waiting));
        assertTrue(isServed(sendRequest(DevelopedApplication.Kind.OTHER)), "a new request must not wait");
        assertEquals(1, deployed.size());
        scanAfter(SourceChanges.REST);
        assertEquals(2, deployed.size(), "the new version must be deployed when the files no longer change");
        assertFalse(isServed(sendRequest(DevelopedApplication.Kind.OTHER)), "requests must wait for scans again");
    }

    @Test
    void aBrowserSeesAtOnceThatAllClassesAreGoneAndOtherRequestsWaitForTheClasses() throws Exception {
        Path compiled = file.resolveSibling("classes/Shop.class");
        Files.createDirectories(compiled.getParent());
        Files.writeString(compiled, "one");
        requestScanAndRest();
        assertEquals(2, deployed.size());
        Files.delete(compiled);
        FakeExchange program = sendRequest(DevelopedApplication.Kind.OTHER);
        FakeExchange page = sendPageRequest();
        scan();
        assertFalse(isAnswered(page));
        scanAfter(SourceChanges.REST);
        assertTrue(isAnswered(page));
        assertTrue(log.lines().get(1).endsWith("A build has failed, or still runs; requests wait for the classes"));
        assertFalse(isServed(program));

        scanAfter(DevelopedApplication.LONGEST.plusSeconds(1));
        assertTrue(isServed(program));
        FakeExchange next = sendRequest(DevelopedApplication.Kind.FILE);
        Files.writeString(compiled, "two");
        scan();
        scanAfter(SourceChanges.REST.minusMillis(1));
        assertFalse(isServed(next), "the first request after the repair must wait for the new version");
        scanAfter(Duration.ofMillis(1));
        assertEquals(3, deployed.size());
        assertTrue(isServed(next));
        FakeExchange last = sendPageRequest();
        scan();
        assertTrue(isServed(last));
        assertEquals(
                1,
                log.lines().stream()
                        .filter(line -> line.contains("all classes of WEB-INF/classes are gone"))
                        .count());
    }

    private void requestScanAndRest() {
        application.requestScan();
        scan();
        scanAfter(SourceChanges.REST);
    }

    private FakeExchange sendPageRequest() throws Exception {
        FakeExchange exchange = FakeExchange.of("GET /", "Accept: text/html");
        application.arrive(exchange, DevelopedApplication.Kind.OTHER);
        return exchange;
    }

    /** Whether the failure page answers the request. */
    private boolean isAnswered(FakeExchange exchange) {
        return !isServed(exchange) && exchange.response().isEnded();
    }

    @Test
    void aTreeWhoseScanTakesLongIsScannedLessOftenIfNoRequestWaits() {
        clockStep = Duration.ofMillis(30);
        application.requestScan();
        scan();
        clockStep = Duration.ZERO;
        nanos += Duration.ofMillis(599).toNanos();
        application.requestScanUnlessBusy();
        assertEquals(0, queuedScans.size());
        nanos += Duration.ofMillis(1).toNanos();
        application.requestScanUnlessBusy();
        assertEquals(1, queuedScans.size());
    }

    @Test
    void aHangingStartOfAVersionDoesNotBlockRequestsForever() throws Exception {
        change();
        FakeExchange first = sendRequest(DevelopedApplication.Kind.OTHER);
        scan();
        List<FakeExchange> more = new ArrayList<>();
        duringNextStart = () -> {
            more.add(sendRequestUnchecked());
            assertFalse(isServed(first) || isServed(more.get(0)));
            Later overdue = later.poll();
            assertEquals(DevelopedApplication.LONGEST, overdue.delay());
            overdue.task().run();
            String warning = log.lines().get(0);
            assertTrue(warning.contains("Requests go to the former version until it has started"), warning);
            StackTraceElement[] stack = log.thrown().get(0).getStackTrace();
            assertTrue(
                    Arrays.stream(stack)
                            .anyMatch(frame -> frame.getClassName().equals(SimulatedServer.class.getName())),
                    "the logged stack trace must be that of the thread that starts the version");
            assertTrue(isServed(first) && isServed(more.get(0)), "the former version must serve both requests");
            assertTrue(isServed(sendRequestUnchecked()), "a new request must not wait");
            assertEquals(1, deployed.size());
        };
        scanAfter(SourceChanges.REST);
        assertEquals(1, more.size());
        assertEquals(2, deployed.size(), "the new version must be deployed when it has started");
        FakeExchange later = sendRequest(DevelopedApplication.Kind.OTHER);
        assertFalse(isServed(later), "requests must wait for scans again");
        scan();
        assertTrue(isServed(later));
        assertEquals(4, served.size(), "each request must be served once");
    }

    @Test
    void noWarningAboutAHangingStartIsLoggedIfTheStartHasFinished() throws Exception {
        change();
        sendRequest(DevelopedApplication.Kind.OTHER);
        scan();
        scanAfter(SourceChanges.REST);
        assertEquals(2, deployed.size());
        scan();
        assertEquals(0, log.thrown().size(), log.lines().toString());
        assertFalse(isServed(sendRequest(DevelopedApplication.Kind.OTHER)));
    }

    private FakeExchange sendRequestUnchecked() {
        try {
            return sendRequest(DevelopedApplication.Kind.OTHER);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void thePauseBetweenScansGrowsIfTheFilesChangeForALongTime() throws Exception {
        change();
        sendRequest(DevelopedApplication.Kind.OTHER);
        scan();
        assertEquals(DevelopedApplication.SHORT_PAUSE, later.peek().delay());
        while (later.peek().delay().equals(DevelopedApplication.SHORT_PAUSE)) {
            assertTrue(nanos <= DevelopedApplication.LONGEST.plusSeconds(2).toNanos());
            change();
            scanAfter(Duration.ofSeconds(1));
        }
        assertEquals(DevelopedApplication.LONG_PAUSE, later.peek().delay());
        assertNoOtherScan();
    }

    @Test
    void onlyOneScanRunsAtATime() throws Exception {
        change();
        sendRequest(DevelopedApplication.Kind.OTHER);
        scan();
        for (int i = 0; i < 3; i++) {
            sendRequest(DevelopedApplication.Kind.OTHER);
            assertNoOtherScan();
            change();
            scan();
        }
    }

    /** Asserts that the next scan runs only after the pause between scans, even if another scan is requested. */
    private void assertNoOtherScan() {
        application.requestScan();
        assertEquals(0, queuedScans.size());
        assertEquals(1, later.size());
    }

    @Test
    void aLongScanIsFollowedByALongPause() throws Exception {
        change();
        sendRequest(DevelopedApplication.Kind.OTHER);
        clockStep = Duration.ofMillis(100);
        scan();
        Duration pause = later.peek().delay();
        assertTrue(pause.compareTo(Duration.ofMillis(400)) >= 0, pause.toString());
    }

    @Test
    void waitingRequestsAreServedWhenTheApplicationIsClosed() throws Exception {
        change();
        FakeExchange waiting = sendRequest(DevelopedApplication.Kind.OTHER);
        application.close();
        assertTrue(isServed(waiting));
        scan();
        assertTrue(isServed(sendRequest(DevelopedApplication.Kind.OTHER)));
    }

    @Test
    void waitingRequestsAreServedIfTheApplicationIsClosedDuringAScan() throws Exception {
        change();
        FakeExchange waiting = sendRequest(DevelopedApplication.Kind.OTHER);
        duringNextScan = application::close;
        scan();
        assertTrue(isServed(waiting));
        assertEquals(1, deployed.size());
    }
}
