package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.compare.Setup.Lineup;
import io.penstock.loadtest.compare.Work.Bar;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.JvmSettings.JavaVersion;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.report.Environment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests the order of the turns, and what happens to turns that fail or that other programs disturb. "All options" are the access log, the
 * metrics and the admin port of Penstock. The C loop ({@code epoll-loop}) is a minimal server in C.
 */
class ExperimentTest {
    private static final JavaVersion JAVA = new JavaVersion(17, "17");

    private final Results results = new Results();
    private final StringWriter err = new StringWriter();
    private int attempts;
    private int failingAttempt;
    private boolean figureBeforeFailure;

    /** A job that starts no server. The figure of each attempt is the number of the attempt. */
    private final class Counting implements Job.Alone {
        @Override
        public int connections() {
            return 1;
        }

        @Override
        public void measure(Stage stage, Server server, Figures figures) throws IOException {
            attempts++;
            if (attempts != failingAttempt || figureBeforeFailure) {
                figures.put(Figure.START, attempts);
            }
            if (attempts == failingAttempt) {
                throw new IOException("attempt " + attempts);
            }
        }
    }

    @Test
    void theCLoopAndPenstockWithAllOptionsAreMeasuredOnlyForHello256() {
        Comparison rows = WorksTest.named("rows");
        for (Work work : rows.works().apply(new Sizes(rows.sizes(), false, Map.of()))) {
            boolean needed = work.id().equals("hello-256");
            assertEquals(needed ? List.of(Contender.LOOP, Contender.ALL_ON) : List.of(), work.extra());
        }
    }

    @Test
    void penstockWithAllOptionsIsMeasuredNextToTheFirstOfThePenstockServers() {
        Lineup lineup = lineup(Server.PENSTOCK_DEFAULTS, Server.PENSTOCK, Server.TOMCAT);
        assertEquals(
                List.of("penstock-defaults", "penstock-all-on", "penstock", "tomcat", "epoll-loop"),
                Experiment.inRound(1, lineup));
        assertEquals(
                List.of("penstock", "tomcat", "penstock-all-on", "penstock-defaults", "epoll-loop"),
                Experiment.inRound(2, lineup));
        assertEquals(List.of("tomcat", "epoll-loop"), Experiment.inRound(1, lineup(Server.TOMCAT)));
    }

    @Test
    void aDisturbedTurnIsReplacedByItsRepetition() throws Exception {
        // The first attempt with Tomcat, the second server, is disturbed.
        measure(0, 50, 0);
        assertEquals("penstock 1.0, tomcat 3.0", turns());
        assertTrue(
                err.toString().contains("startup, tomcat again: other programs used 50 % of this machine"),
                err::toString);
    }

    @Test
    void aTurnOfWhichAllAttemptsAreDisturbedIsMarked() throws Exception {
        Report report = measure(0, 50, 40, 30);
        assertEquals("penstock 1.0, tomcat 4.0", turns());
        assertTrue(report.rows().markdown().contains(" (!) |"), report.rows()::markdown);
        String text = report.text();
        assertTrue(
                text.substring(text.lastIndexOf('\n') + 1).startsWith("DISTURBED: other programs used up to 30 %"),
                text);
    }

    @Test
    void aDisturbedTurnIsKeptIfItsRepetitionFails() throws Exception {
        failingAttempt = 3;
        measure(0, 50, 0);
        assertEquals("penstock 1.0, tomcat 2.0", turns());
        assertEquals(
                "the repetition failed, so the disturbed turn counts: attempt 3",
                results.gaps().get(0).reason());
    }

    @Test
    void aFailedTurnIsAGapAndTheOtherTurnsContinue() throws Exception {
        failingAttempt = 1;
        measure(0, 0);
        assertEquals("tomcat 2.0", turns());
        assertEquals(List.of(new Results.Gap("penstock", "startup", "attempt 1")), results.gaps());
    }

    @Test
    void theFiguresFromBeforeAFailureRemain() throws Exception {
        failingAttempt = 1;
        figureBeforeFailure = true;
        measure(0, 0);
        assertEquals("penstock 1.0, tomcat 2.0", turns());
        assertEquals("attempt 1", results.turns().get(0).note());
        assertEquals(1, results.gaps().size());
    }

    private String turns() {
        return results.turns().stream()
                .map(turn -> turn.server() + " " + turn.figures().get(Figure.START))
                .collect(Collectors.joining(", "));
    }

    private Report measure(long... othersTicks) throws Exception {
        OtherPrograms others = SimulatedProcessorUse.ofOthers(2, othersTicks);
        Comparison startup = WorksTest.named("startup");
        Setup setup = new Setup(
                startup,
                List.of(Work.of("startup", "counting", new Counting()).row(Figure.START, Bar.none())),
                new Sizes(startup.sizes(), true, Map.of()),
                lineup(Server.PENSTOCK, Server.TOMCAT),
                new PeersFolder(Path.of("none")),
                JvmSettings.defaults(),
                "own",
                Map.of());
        Report report = new Report(setup, others, results, Environment.of("java x"));
        new Experiment(setup, others, results, report, new PrintWriter(err, true), null).run();
        return report;
    }

    private static Lineup lineup(Server... servers) {
        return new Lineup(List.of(servers), List.of(), JAVA);
    }
}
