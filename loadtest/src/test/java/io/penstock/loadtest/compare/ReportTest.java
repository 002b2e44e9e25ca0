package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.Main;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the report of a comparison. Each row of its table is for one {@link Work} (what a server does), and has the measurements,
 * the ratio, the {@link Bar} (the target) and the outcome.
 */
class ReportTest {
    private final Results results = new Results();
    private final OtherPrograms others = SimulatedProcessorUse.ofOthers(0, 30);

    @Test
    void aRowHasTheMedianOfEachServerAndTheRatioOfTheFirstPenstockServerToTheBestOtherServer() {
        put("penstock-defaults", 1, 90, 0);
        put("penstock", 1, 100, 0);
        put("tomcat", 1, 60, 0);
        results.started("tomcat", "Tomcat 11", "java -jar tomcat.jar");
        assertEquals("""
            work,figure,penstock-defaults,penstock,Tomcat 11,ratio,bar,outcome,why
            a servlet that writes 1 MB,requests/s,90,100,60,1.50,≥ 1.2 × the best,met,
            """, report().rows().csv());
    }

    @Test
    void aRowWithDisturbedRunsIsMarkedAndTheLastLineReportsTheDisturbance() throws Exception {
        others.watch(() -> "a run", used -> {}, failed -> {});
        put("penstock-defaults", 1, 50, 0.3);
        put("tomcat", 1, 60, 0);
        assertTrue(
                report().rows().markdown().contains("| 0.83 | ≥ 1.2 × the best | missed (!) | closed early |"),
                report().text());
        String text = report().text();
        assertTrue(
                text.substring(text.lastIndexOf('\n') + 1).startsWith("DISTURBED: other programs used up to 30 %"),
                text);
        assertTrue(text.contains("- Marked with (!): other programs used more than 10 %"), text);
    }

    @Test
    void theReportContainsTheSpreadAndTheMissingServersAndTheErrors() {
        put("tomcat", 1, 60, 0);
        put("tomcat", 2, 80, 0);
        results.addGap("penstock", "output-1m", "penstock has ended");
        String text = report().text();
        assertTrue(text.contains("70 (60–80)"), text);
        assertTrue(text.contains("penstock has ended"), text);
        assertTrue(text.contains("closed early"), text);
        assertTrue(report().all().csv().contains(",tomcat,loadtest,70 (60–80),"), report().all()::csv);
    }

    @Test
    void theTurnsAndTheTablesAreWrittenAsCsvFiles(@TempDir Path folder) throws Exception {
        put("tomcat", 1, 60, 0.05);
        report().save(folder);
        report().publish(folder);
        assertTrue(Files.readString(folder.resolve("rows.csv"))
                .endsWith("output-1m,tomcat,1,loadtest,60.000,closed early,0.050\n"));
        String csv = Files.readString(folder.resolve("compare-rows.csv"));
        assertTrue(csv.contains("\na servlet that writes 1 MB,requests/s,,,60,,≥ 1.2 × the best,open,\n"), csv);
        StringWriter page = new StringWriter();
        String file = folder.resolve("compare-rows.csv").toString();
        assertEquals(0, Main.commandLine().setOut(new PrintWriter(page)).execute("page", file));
        String row = "| a servlet that writes 1 MB | requests/s | - | - | 60 | - | ≥ 1.2 × the best | open | - |";
        assertTrue(page.toString().contains(row), page::toString);
    }

    @Test
    void earlierResultsAreKeptForTheWorksThatALaterRunDoesNotMeasure(@TempDir Path folder) throws Exception {
        results.started("tomcat", "Tomcat 11", "java -jar tomcat.jar");
        put("tomcat", 1, 60, 0.05);
        results.add(
                new Results.Turn("tomcat", "burst", 1, Map.of(Figure.LONGEST, Double.POSITIVE_INFINITY), "", "", 0));
        results.addGap("jetty", "output-1m", "jetty has ended");
        report().save(folder);
        Results.Saved earlier = Results.Saved.read(folder.resolve("rows.json"));
        assertEquals(report().terms(), earlier.terms());
        assertEquals(Set.of("output-1m", "burst"), earlier.works());

        Results later = new Results();
        later.takeOver(earlier, Set.of("burst"));
        assertEquals(results.turns("tomcat", "output-1m"), later.turns());
        assertEquals(results.gaps(), later.gaps());
        assertEquals("Tomcat 11", later.titleOf("tomcat"));
        assertEquals(results.commands(), later.commands());
        assertTrue(later.earlierRuns().get(0).endsWith(": `java x`"), later.earlierRuns()::toString);

        Results again = new Results();
        again.takeOver(earlier, Set.of("output-1m"));
        assertEquals(results.turns("tomcat", "burst"), again.turns());
        assertEquals(List.of(), again.gaps());
    }

    @Test
    void aFileOfAnSavedIsRefusedIfItContainsNoResults(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("rows.json"), "{}");
        assertThrows(IOException.class, () -> Results.Saved.read(file));
    }

    /** A picture is often seen without its document. */
    @Test
    void aPictureCanBeReadAloneAndNamesDisturbedRuns(@TempDir Path folder) throws Exception {
        putUsers("penstock", "text-200", 0);
        putUsers("tomcat", "text-200", 0.3);
        putUsers("penstock", "servlet-200", 0);
        putUsers("tomcat", "servlet-200", 0.05);
        report("users", "(text|servlet)-200").publish(folder);
        String text = Files.readString(folder.resolve("compare-users.csv"));
        for (String title : List.of(
                "![Requests per second by number of users (a text file of 4 KB)](images/users-text-requests.svg)",
                "![Connect errors per minute by number of users (a text file of 4 KB)](images/users-text-connect-errors.svg)",
                "![Requests per second by number of users (a servlet that answers 13 bytes)](images/users-servlet-requests.svg)",
                "![Connect errors per minute by number of users (a servlet that answers 13 bytes)](images/users-servlet-connect-errors.svg)")) {
            assertTrue(text.contains(title), () -> title + " is missing in " + text);
        }
        String disturbance = "Disturbed by other programs: tomcat with 200";
        for (String name : List.of("requests", "connect-errors")) {
            String disturbed = Files.readString(folder.resolve("images/users-text-" + name + ".svg"));
            String quiet = Files.readString(folder.resolve("images/users-servlet-" + name + ".svg"));
            assertTrue(disturbed.contains(disturbance) && !quiet.contains("Disturbed"), name);
            assertTrue(quiet.contains("Median of the rounds") && quiet.contains("Settings of all servers"), quiet);
        }
    }

    private void putUsers(String server, String work, double othersUsed) {
        results.add(new Results.Turn(
                server,
                work,
                1,
                Map.of(Figure.REQUESTS, 100.0, Figure.CONNECT_ERRORS, 1.0),
                "loadtest",
                "",
                othersUsed));
    }

    private void put(String server, int round, double requests, double othersUsed) {
        results.add(new Results.Turn(
                server, "output-1m", round, Map.of(Figure.REQUESTS, requests), "loadtest", "closed early", othersUsed));
    }

    private Report report() {
        return report("rows", "output-1m");
    }

    private Report report(String comparison, String works) {
        Comparison rows = WorksTest.named(comparison);
        Sizes sizes = new Sizes(rows.sizes(), false, Map.of());
        return new Report(
                new Setup(
                        rows,
                        rows.works().apply(sizes).stream()
                                .filter(work -> work.id().matches(works))
                                .toList(),
                        sizes,
                        new Lineup(
                                List.of(Server.PENSTOCK_DEFAULTS, Server.PENSTOCK, Server.TOMCAT),
                                List.of(),
                                new JavaVersion(17, "17")),
                        new PeersFolder(Path.of("none")),
                        JvmSettings.defaults(),
                        "own",
                        Map.of()),
                others,
                results,
                Environment.of("java x"));
    }
}
