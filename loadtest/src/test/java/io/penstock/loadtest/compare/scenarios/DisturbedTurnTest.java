package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.compare.setup.SimulatedProcessorUse;
import io.penstock.loadtest.peers.JavaVersion;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.report.Environment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the repetition of measurements that other programs disturbed. The result contains only the last successful attempt. */
class DisturbedTurnTest {
    private static final Measure VALUE = Measure.whole("value", "value");

    private final Results results = new Results(List.of(VALUE));
    private final StringWriter err = new StringWriter();
    private int failingAttempt;

    @Test
    void aDisturbedAttemptIsReplacedByTheRepetitionInTheSameRow() throws Exception {
        // The first attempt with Tomcat, the second server, is disturbed.
        measure(0, 50, 0);
        assertEquals(List.of(new Results.Key("penstock", "part"), new Results.Key("tomcat", "part")), results.rows());
        assertEquals(List.of(3.0), results.numbers(new Results.Key("tomcat", "part"), VALUE));
        assertTrue(
                err.toString().contains("startup: tomcat again: other programs used 50 % of this machine"),
                err::toString);
    }

    @Test
    void aRowWithOnlyDisturbedAttemptsIsMarkedInTheTableAndInTheFiles() throws Exception {
        Report report = measure(0, 50, 40, 30);
        assertTrue(
                report.table()
                        .markdown()
                        .contains("| tomcat | part | 4 | used up to 30 % of the machine in 1 of 1 rounds |"),
                report.table().markdown());
        assertTrue(
                report.table().markdown().contains("| penstock | part | 1 | - |"),
                report.table().markdown());
        assertEquals(
                "server,part,round,value,failure,othersUsed\n"
                        + "penstock,part,1,1.000,,0.000\n"
                        + "tomcat,part,1,4.000,,0.300\n",
                report.rounds().csv());
        String text = report.text().strip();
        assertTrue(
                text.substring(text.lastIndexOf('\n') + 1).startsWith("DISTURBED: other programs used up to 30 %"),
                text);
        assertTrue(report.markdown().contains("\n- DISTURBED: "), report.markdown());
    }

    @Test
    void aDisturbedAttemptIsKeptAndMarkedIfTheRepetitionFails() throws Exception {
        failingAttempt = 3;
        Report report = measure(0, 50, 0);
        assertEquals(
                "server,part,round,value,failure,othersUsed\n"
                        + "penstock,part,1,1.000,,0.000\n"
                        + "tomcat,part,1,2.000,,0.500\n",
                report.rounds().csv());
        assertTrue(
                err.toString().contains("tomcat: the repetition failed, so the disturbed run counts: attempt 3"),
                err::toString);
    }

    private Report measure(long... othersTicks) throws Exception {
        OtherPrograms others = SimulatedProcessorUse.ofOthers(2, othersTicks);
        AtomicInteger attempts = new AtomicInteger();
        Scenario scenario = new CountingScenario(attempts, failingAttempt);
        Report report = new Report(scenario, results, others, Environment.of("java x"), "the same heap for all");
        Lineup lineup = new Lineup(List.of(Server.PENSTOCK, Server.TOMCAT), List.of(), new JavaVersion(17, "17"));
        new ScenarioRun(
                        scenario,
                        lineup,
                        new PeersFolder(Path.of("none")),
                        JvmSettings.defaults(),
                        (server, options) -> options,
                        others,
                        results,
                        new ScenarioProgress(new PrintWriter(err, true), report, 1, 2, null))
                .run(1);
        return report;
    }

    /** A scenario that starts no server. The value of each attempt is the number of the attempt. */
    private record CountingScenario(AtomicInteger attempts, int failingAttempt) implements Scenario {
        @Override
        public String name() {
            return "startup";
        }

        @Override
        public String title() {
            return "Counting";
        }

        @Override
        public String explanation() {
            return "Counts its attempts.";
        }

        @Override
        public String partTitle() {
            return "side";
        }

        @Override
        public List<Measure> columns() {
            return List.of(VALUE);
        }

        @Override
        public int connections() {
            return 1;
        }

        @Override
        public void measure(Server server, Launch launch, Recorder recorder) throws IOException {
            int attempt = attempts.incrementAndGet();
            recorder.part("part").put(VALUE, attempt);
            if (attempt == failingAttempt) {
                throw new IOException("attempt " + attempt);
            }
        }
    }
}
