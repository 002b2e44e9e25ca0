package io.penstock.loadtest.compare.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.peers.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsersResultsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final UsersResults results = new UsersResults();

    @Test
    void aCellShowsTheMedianAndTheRangeOfTheRounds() {
        results.call(Server.JETTY, "Jetty 12");
        for (double rate : new double[] {80_000.4, 79_000, 90_000}) {
            results.add(List.of(run("jetty", 200, rate)));
        }
        UsersTables tables = new UsersTables(results);
        assertEquals(
                "server,200 users\nJetty 12,80000 (79000–90000)\n",
                tables.one(Asked.TEXT, Quantity.RATE).csv());
        assertEquals(
                List.of(80_000.4, 79_000.0, 90_000.0),
                tables.numbers(Asked.TEXT).rows().get(0).subList(4, 7));
    }

    @Test
    void aCellWithADisturbedRunIsMarked() {
        results.add(List.of(run("penstock", 200, 5), run("penstock", 400, 6), run("jetty", 200, 7)));
        results.addDisturbance(Server.PENSTOCK, 200, 1, 0.4);
        assertEquals(
                "server,200 users,400 users\npenstock,5 (!),6\njetty,7,\n",
                new UsersTables(results).one(Asked.TEXT, Quantity.RATE).csv());
    }

    @Test
    void thePicturesMarkDisturbedRunsAndNameTheSettings(@TempDir Path folder) throws Exception {
        results.add(List.of(run("penstock", 200, 5), run("penstock", 400, 6)));
        UsersCharts charts = new UsersCharts(results, List.of("Median of 1 round, Java 17"));
        Path picture = folder.resolve("users-text-requests.svg");
        String ring = "rgb(166,43,34)";
        charts.save(folder, List.of(Asked.TEXT));
        assertTrue(Files.readString(picture).contains("Median of 1 round, Java 17"), "the picture has no caption");
        assertFalse(Files.readString(picture).contains(ring), "an undisturbed run is marked");
        results.addDisturbance(Server.PENSTOCK, 200, 1, 0.4);
        charts.save(folder, List.of(Asked.TEXT));
        assertTrue(Files.readString(picture).contains(ring), "the disturbed run is not marked");
    }

    @Test
    void theRangeIsOmittedIfAllRunsHaveTheSameValue() {
        results.add(List.of(run("penstock", 200, 5)));
        results.add(List.of(run("penstock", 200, 5)));
        assertEquals("5", new UsersTables(results).all(Asked.TEXT).rows().get(0).get(2));
    }

    @Test
    void theCellOfAMissingMeasurementIsEmptyAndTheReasonIsReported() {
        results.add(List.of(run("penstock", 200, 5)));
        results.add(List.of(run("penstock", 400, 6)));
        results.add(List.of(run("jetty", 200, 7)));
        results.addGap(Server.JETTY, 400, "jetty has ended; its last lines: OutOfMemoryError");
        UsersTables tables = new UsersTables(results);
        assertEquals(
                "server,200 users,400 users\npenstock,5,6\njetty,7,\n",
                tables.one(Asked.TEXT, Quantity.RATE).csv());
        assertEquals(
                "users,server,\"not measured, because\"\n400,jetty,jetty has ended; its last lines:"
                        + " OutOfMemoryError\n",
                tables.gaps().csv());
    }

    @Test
    void aServerWithoutResponsesHasNoLatencyAndNoProcessorTimePerResponse() {
        results.add(List.of(collapsed("tomcat7", 200)));
        UsersTables tables = new UsersTables(results);
        assertEquals(
                "server,200 users\ntomcat7,\n",
                tables.one(Asked.TEXT, Quantity.P99).csv());
        assertEquals(
                "server,200 users\ntomcat7,\n",
                tables.one(Asked.TEXT, Quantity.CPU).csv());
        assertEquals(
                "server,200 users\ntomcat7,0\n",
                tables.one(Asked.TEXT, Quantity.RATE).csv());
        assertTrue(tables.numbers(Asked.TEXT).csv().contains("tomcat7,tomcat7,1,0.000,0.000,0.000,,,,"));
    }

    @Test
    void aRunWithoutAHeapSizeKeepsItsOtherValues() {
        results.add(List.of(run("jetty", 200, 10).withHeap(Double.NaN)));
        UsersTables tables = new UsersTables(results);
        assertEquals(
                "server,200 users\njetty,\n",
                tables.one(Asked.TEXT, Quantity.HEAP).csv());
        assertEquals(
                "server,200 users\njetty,10\n",
                tables.one(Asked.TEXT, Quantity.RATE).csv());
    }

    @Test
    void runsWithoutAValueAreIgnoredInACell() {
        results.add(List.of(collapsed("tomcat7", 200)));
        results.add(List.of(run("tomcat7", 200, 10)));
        UsersTables tables = new UsersTables(results);
        assertEquals(
                "server,200 users\ntomcat7,0.00\n",
                tables.one(Asked.TEXT, Quantity.P50).csv());
        assertEquals(
                "server,200 users\ntomcat7,9.0\n",
                tables.one(Asked.TEXT, Quantity.CPU).csv());
        assertEquals(
                "server,200 users\ntomcat7,5 (0–10)\n",
                tables.one(Asked.TEXT, Quantity.RATE).csv());
    }

    @Test
    void anUnfinishedRequestIsIncludedInThePercentilesButNotCountedAsAnswered() {
        AnswerTally tally = new AnswerTally();
        for (int i = 0; i < 90; i++) {
            tally.onAnswer(0, 200, 1_000_000);
        }
        for (int i = 0; i < 10; i++) {
            tally.onUnderWay(4_000_000_000L);
        }
        tally.freeze();
        tally.onUnderWay(9_000_000_000L);
        assertEquals(90, tally.answers());
        assertEquals(1, tally.usersServed());
        assertEquals(1000, tally.micros(50), 1);
        assertEquals(4_000_000, tally.micros(99), 4_000);
    }

    @Test
    void thePercentilesAreUndefinedWithoutASuccessfulResponse() {
        AnswerTally tally = new AnswerTally();
        tally.onAnswer(1, 503, 1_000);
        tally.freeze();
        assertTrue(Double.isNaN(tally.micros(50)) && Double.isNaN(tally.micros(99.9)));
    }

    @Test
    void rowsAreSortedByNumberOfUsersAndThenByServer() {
        results.add(List.of(run("undertow", 400, 1)));
        results.add(List.of(run("undertow", 200, 1)));
        results.add(List.of(run("penstock", 400, 1)));
        assertEquals(
                List.of("200 undertow", "400 penstock", "400 undertow"),
                results.rows(Asked.TEXT).stream()
                        .map(row -> row.users() + " " + row.server())
                        .toList());
        assertEquals(List.of(), results.rows(Asked.SERVLET));
    }

    @Test
    void resultsAreIgnoredIfTheyAreAddedAfterClose() {
        results.add(List.of(run("penstock", 200, 1)));
        results.close();
        results.add(List.of(run("penstock", 200, 2)));
        results.addGap(Server.PENSTOCK, 200, "stopped");
        assertEquals(1, results.measurements().size());
        assertEquals(List.of(), results.gaps());
    }

    @Test
    void responsesAndErrorsAreNotCountedAfterTheTallyIsFrozen() {
        AnswerTally tally = new AnswerTally();
        tally.onAnswer(3, 200, 1_000_000);
        tally.onAnswer(3, 200, 3_000_000);
        tally.onAnswer(5, 503, 1_000);
        tally.onFailure(Failure.RESET);
        tally.freeze();
        tally.onAnswer(4, 200, 1_000_000);
        tally.onFailure(Failure.RESET);
        assertEquals(2, tally.answers());
        assertEquals(1, tally.usersServed());
        assertEquals(2, tally.troubles());
        assertEquals(1000, tally.micros(50), 1);
        assertEquals(3000, tally.micros(99), 3);
    }

    @Test
    void theDurationOfAPlanIsEstimated() {
        UsersPlan plan = new UsersPlan(
                List.of(200, 400), List.of(Asked.TEXT, Asked.SERVLET), SECOND, SECOND.multipliedBy(4), SECOND, 3);
        assertEquals(30, plan.runs(5));
        assertEquals(Duration.ofMillis(30 * (1000 + 2 * 4250 + 700) + 10 * (1500 + 2 * 1000)), plan.estimate(5));
    }

    @Test
    void theErrorForAnInvalidPlanContainsTheOption() {
        List<Asked> text = List.of(Asked.TEXT);
        assertRefused("--users", () -> new UsersPlan(List.of(0), text, SECOND, SECOND, SECOND, 1));
        assertRefused("--users", () -> new UsersPlan(List.of(), text, SECOND, SECOND, SECOND, 1));
        assertRefused("--content", () -> new UsersPlan(List.of(1), List.of(), SECOND, SECOND, SECOND, 1));
        assertRefused("--ramp-up", () -> new UsersPlan(List.of(1), text, Duration.ZERO, SECOND, SECOND, 1));
        assertRefused("--duration", () -> new UsersPlan(List.of(1), text, SECOND, Duration.ZERO, SECOND, 1));
    }

    private static void assertRefused(String option, Runnable making) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, making::run);
        assertTrue(wrong.getMessage().startsWith(option), wrong.getMessage());
    }

    private static Run collapsed(String server, int users) {
        double none = Double.NaN;
        return new Run(server, users, Asked.TEXT, 1, 0, none, none, none, 0, 0, users, none, 20, 1, 1, "");
    }

    private static Run run(String server, int users, double rate) {
        return new Run(server, users, Asked.TEXT, 1, rate, 1, 2, 3, 0, 0, 0, 9, 20, 1, 1, "");
    }
}
