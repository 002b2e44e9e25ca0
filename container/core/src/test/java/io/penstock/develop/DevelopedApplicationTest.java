package io.penstock.develop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.deploy.ApplicationContent;
import io.penstock.deploy.DeploymentException;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.FakeExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which requests wait for which look. Time passes, and workers look, when the test says so. */
class DevelopedApplicationTest {
    @TempDir
    Path folder;

    private Path file;
    private long nanos;

    /** Done at the next look at the clock, which a look at changed files takes. */
    private Runnable meanwhile = () -> {};

    private final Deque<Runnable> looks = new ArrayDeque<>();
    private final Deque<Runnable> later = new ArrayDeque<>();
    private final List<ApplicationContent> deployed = new ArrayList<>();
    private final List<Exchange> served = new ArrayList<>();
    private DevelopedApplication application;

    /** The server of the test. */
    private final class OfTest implements DevelopedApplication.Surroundings {
        @Override
        public void deploy(ApplicationContent version) {
            deployed.add(version);
        }

        @Override
        public void deployNothing() {
            throw new AssertionError("no version fails");
        }

        @Override
        public void onWorker(Runnable task) {
            looks.add(task);
        }

        @Override
        public void soon(Runnable task) {
            later.add(task);
        }
    }

    @BeforeEach
    void open() throws IOException, DeploymentException {
        Path web = Files.createDirectories(folder.resolve("web/WEB-INF"));
        Path copies = Files.createDirectory(folder.resolve("copies"));
        file = Files.writeString(web.resolve("web.xml"), "<web-app/>");
        SourceTree tree = new SourceTree(List.of(web.getParent()), List.of(), Map.of());
        SourceChanges changes = new SourceChanges(tree, this::nanos, new ContentHashes(InstantSource.system()));
        application = new DevelopedApplication("/", tree, changes, this::nanos, copies, served::add, new OfTest());
        application.open();
        assertEquals(1, deployed.size());
    }

    @AfterEach
    void removeCopies() throws Exception {
        for (ApplicationContent version : deployed) {
            version.owned().close();
        }
    }

    private long nanos() {
        Runnable now = meanwhile;
        meanwhile = () -> {};
        now.run();
        return nanos;
    }

    private void change() throws IOException {
        Files.writeString(file, Files.readString(file) + " ");
    }

    /** Looks of workers, and those that are due a moment later. */
    private void look() {
        for (Runnable due = later.poll(); due != null; due = later.poll()) {
            due.run();
        }
        for (Runnable look = looks.poll(); look != null; look = looks.poll()) {
            look.run();
        }
    }

    private void lookAfter(Duration time) {
        nanos += time.toNanos();
        look();
    }

    private FakeExchange arrives(DevelopedApplication.Kind kind) throws Exception {
        FakeExchange exchange = FakeExchange.of("GET /");
        application.arrive(exchange, kind);
        return exchange;
    }

    private boolean isServed(FakeExchange exchange) {
        exchange.runJobs();
        return served.contains(exchange);
    }

    @Test
    void aRequestIsServedWhenALookHasFoundNoChange() throws Exception {
        FakeExchange request = arrives(DevelopedApplication.Kind.OTHER);
        assertFalse(isServed(request));
        look();
        assertTrue(isServed(request));
        assertTrue(isServed(arrives(DevelopedApplication.Kind.FILE)), "a file needs no look");
        assertEquals(1, deployed.size());
    }

    @Test
    void allRequestsWaitWhileFilesChange() throws Exception {
        change();
        FakeExchange first = arrives(DevelopedApplication.Kind.OTHER);
        look();
        FakeExchange second = arrives(DevelopedApplication.Kind.FILE);
        assertFalse(isServed(first) || isServed(second));
        lookAfter(SourceChanges.REST);
        assertTrue(isServed(first) && isServed(second));
        assertEquals(2, deployed.size());
    }

    @Test
    void aRequestThatComesDuringALookWaitsForTheNext() throws Exception {
        change();
        FakeExchange first = arrives(DevelopedApplication.Kind.OTHER);
        look();
        List<FakeExchange> second = new ArrayList<>();
        meanwhile = () -> {
            try {
                change();
                second.add(arrives(DevelopedApplication.Kind.OTHER));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        lookAfter(SourceChanges.REST);
        assertFalse(isServed(second.get(0)));
        look();
        lookAfter(SourceChanges.REST);
        assertTrue(isServed(first) && isServed(second.get(0)));
    }

    @Test
    void filesThatDoNotComeToRestHoldNoRequestForEver() throws Exception {
        change();
        FakeExchange waiting = arrives(DevelopedApplication.Kind.OTHER);
        look();
        for (Duration waited = Duration.ZERO;
                waited.compareTo(DevelopedApplication.LONGEST) <= 0;
                waited = waited.plusSeconds(1)) {
            assertFalse(isServed(waiting), waited.toString());
            change();
            lookAfter(Duration.ofSeconds(1));
        }
        assertTrue(isServed(waiting));
        assertTrue(isServed(arrives(DevelopedApplication.Kind.OTHER)), "by the former version, without a wait");
        assertEquals(1, deployed.size());
        lookAfter(SourceChanges.REST);
        assertEquals(2, deployed.size(), "they have come to rest after all");
        assertFalse(isServed(arrives(DevelopedApplication.Kind.OTHER)), "requests wait again");
    }

    @Test
    void requestsThatWaitAreServedWhenTheServerEnds() throws Exception {
        change();
        FakeExchange waiting = arrives(DevelopedApplication.Kind.OTHER);
        application.close();
        assertTrue(isServed(waiting));
        look();
        assertTrue(isServed(arrives(DevelopedApplication.Kind.OTHER)));
    }

    @Test
    void soAreThoseForWhichAWorkerLooksAtThatMoment() throws Exception {
        change();
        FakeExchange waiting = arrives(DevelopedApplication.Kind.OTHER);
        meanwhile = application::close;
        look();
        assertTrue(isServed(waiting));
        assertEquals(1, deployed.size());
    }
}
