package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the table and the files of a report. In some tests, a measurement has failed. */
class ReportTest {
    private static final Measure SPEED = Measure.tenths("speed", "speed, 1/s");
    private static final Measure NOTE = Measure.text("note", "note");

    private final Results results = new Results(List.of(SPEED, NOTE));

    @Test
    void aCellShowsTheMedianAndTheRangeIfThereAreSeveralRounds() {
        record("penstock", 1, 10);
        record("tomcat", 1, 10);
        record("tomcat", 2, 30);
        record("tomcat", 3, 12.25);
        assertEquals("""
            server    side  speed, 1/s        note
            penstock  left  10.0              fine
            tomcat    left  12.3 (10.0–30.0)  fine
            """, aligned(report("side").table().text()));
    }

    @Test
    void theRowOfAFailedServerShowsTheMeasurementsAndTheFailure() {
        record("penstock", 1, 10);
        Recorder recorder = new Recorder(results, Server.TOMCAT, 1);
        recorder.part("left").put(SPEED, 7.0);
        recorder.fail("tomcat has ended");
        String table = report("side").table().markdown();
        assertTrue(table.contains("| could not be measured |"), table);
        assertTrue(table.contains("| tomcat | left | 7.0 | - | tomcat has ended |"), table);
        assertTrue(table.contains("| penstock | left | 10.0 | fine | - |"), table);
    }

    @Test
    void theRowShowsTheFailureIfTheServerDoesNotStart() {
        new Recorder(results, Server.JETTY, 1).fail("jetty has not started");
        assertTrue(results.isEmpty());
        String table = report("").table().markdown();
        assertTrue(table.contains("| jetty | - | - | jetty has not started |"), table);
    }

    @Test
    void roundsWithoutRecoveryAreIncludedInTheMedianAndInTheNote() {
        Measure recovery = Measure.whole("speed", "speed, 1/s");
        Results some = new Results(List.of(recovery, NOTE));
        some.round("jetty", "", 1).put(recovery, 1200);
        some.round("jetty", "", 2).put(recovery, Double.POSITIVE_INFINITY).put(NOTE, "not normal again");
        some.round("jetty", "", 3).put(recovery, Double.POSITIVE_INFINITY).put(NOTE, "not normal again");
        Report report = new Report(new Parted(""), some, new OtherPrograms(0), Environment.of("java x"), "");
        String table = report.table().markdown();
        assertTrue(table.contains("| jetty | never (1200–never) | not normal again (2 of 3 rounds) |"), table);
        assertTrue(
                report.rounds().csv().contains("jetty,,2,never,not normal again,"),
                report.rounds().csv());
    }

    @Test
    void resultsAreIgnoredIfTheyAreAddedAfterClose(@TempDir Path folder) throws Exception {
        Results.Round begun = results.round("penstock", "left", 1).put(SPEED, 10.0);
        results.close();
        begun.put(SPEED, 7.0).put(NOTE, "late").fail("penstock has ended");
        results.round("tomcat", "left", 1).fail("tomcat has ended");
        report("side").save(folder);
        assertEquals(
                "server,part,round,speed,note,failure\npenstock,left,1,10.000,,\n",
                Files.readString(folder.resolve("startup.csv")));
    }

    @Test
    void noTemporaryFilesRemainAfterSaving(@TempDir Path folder) throws Exception {
        record("penstock", 1, 10);
        report("side").save(folder);
        record("penstock", 2, 20);
        report("side").save(folder);
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(
                    List.of("startup.csv", "startup.json", "startup.txt"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
        String text = Files.readString(folder.resolve("startup.txt"));
        assertTrue(
                text.contains("processors") && text.endsWith("java x\nOther programs: nothing has been measured.\n"),
                text);
    }

    @Test
    void theRemainingTimeIsEstimatedFromTheCompletedRuns() {
        assertEquals("", ScenarioProgress.left(Duration.ofSeconds(1), 0, 4));
        assertEquals(", about 30 s left", ScenarioProgress.left(Duration.ofSeconds(10), 1, 4));
        assertEquals(", about 10 min left", ScenarioProgress.left(Duration.ofMinutes(30), 3, 4));
    }

    @Test
    void theTableShowsTheNameThatTheServerReports() {
        record("penstock", 1, 10);
        results.call("penstock", "Penstock 1.0");
        assertTrue(report("side").table().text().contains("Penstock 1.0"));
    }

    @Test
    void theCommandOfEachServerIsPrintedOnceAfterTheTable() {
        record("jetty", 1, 10);
        results.startedBy("jetty", "java -Xmx256m -jar jetty.jar");
        results.startedBy("jetty", "java -Xmx256m -jar jetty.jar");
        results.call("jetty", "Jetty 12");
        assertTrue(
                report("side")
                        .markdown()
                        .contains("port and folders:\n\n- Jetty 12: `java -Xmx256m -jar jetty.jar`\n\n- M"),
                report("side").markdown());
        assertTrue(
                report("side").text().contains("port and folders:\n  Jetty 12: java -Xmx256m -jar jetty.jar\n"),
                report("side").text());
    }

    @Test
    void theCsvFileAndTheJsonFileContainEveryRound(@TempDir Path folder) throws Exception {
        record("penstock", 1, 10);
        record("penstock", 2, 30.5);
        assertFalse(results.isEmpty());
        report("side").save(folder);
        assertEquals("""
            server,part,round,speed,note,failure
            penstock,left,1,10.000,fine,
            penstock,left,2,30.500,fine,
            """, Files.readString(folder.resolve("startup.csv")));
        JsonNode json = Json.read(folder.resolve("startup.json"));
        assertEquals("startup", json.get("scenario").asText());
        assertEquals(30.5, json.get("rounds").get(1).get("speed").asDouble());
        assertEquals("java x", json.get("environment").get("command").asText());
        assertTrue(Files.readString(folder.resolve("startup.txt")).contains("20.3 (10.0–30.5)"));
    }

    @Test
    void theMarkdownSectionDescribesTheMeasurement() {
        record("penstock", 1, 10);
        String section = report("side").markdown();
        assertTrue(section.startsWith("## From start to first response\n\nThe time from the launch"), section);
        assertTrue(section.contains("the same heap for all"), section);
        assertTrue(section.contains("- Command: `java x`"), section);
    }

    private void record(String server, int round, double speed) {
        results.round(server, "left", round).put(SPEED, speed).put(NOTE, "fine");
    }

    private Report report(String partTitle) {
        return new Report(
                new Parted(partTitle),
                results,
                new OtherPrograms(0),
                Environment.of("java x"),
                "the same heap for all");
    }

    /** Removes the blanks that align the numbers to the right. The test does not check this alignment. */
    private static String aligned(String table) {
        return table.replaceAll("(left|side) +(speed, 1/s|10.0|12.3 \\(10.0–30.0\\)) +", "$1  $2  ")
                .replace("speed, 1/s  ", "speed, 1/s        ")
                .replace("10.0  fine", "10.0              fine");
    }

    /** A scenario with the texts of the scenario {@code startup}. Its rows have the text {@code left} in the column {@code part}. */
    private record Parted(String partTitle) implements Scenario {
        private static final Scenario STARTUP = StartupScenario.embedded();

        @Override
        public String name() {
            return STARTUP.name();
        }

        @Override
        public String title() {
            return STARTUP.title();
        }

        @Override
        public String explanation() {
            return STARTUP.explanation();
        }

        @Override
        public List<Measure> columns() {
            return List.of(SPEED, NOTE);
        }

        @Override
        public int connections() {
            return 1;
        }

        @Override
        public void measure(Server server, Launch launch, Recorder recorder) {
            recorder.part("left");
        }
    }
}
