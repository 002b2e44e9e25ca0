package io.penstock.experiments.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Json;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the tables, the files and the chart of a report. The tests supply the results of all minutes. */
class TransactionsReportTest {
    private static final Environment ENVIRONMENT = new Environment(
            "some processor",
            2,
            8L << 30,
            "Linux 6",
            "OpenJDK 17",
            "0.1",
            Instant.EPOCH,
            "java -jar experiments.jar x");

    private final TransactionsPlan plan = new TransactionsPlan(
            new Latencies(Duration.ofMillis(1200), Duration.ofSeconds(6), 1),
            new TransactionShape(5),
            new ThreadBudget(25, 25, 0),
            new ThreadBudget(49, 0, 1),
            Duration.ofSeconds(10),
            2048,
            Duration.ofSeconds(6),
            Duration.ofSeconds(60),
            2);

    @TempDir
    private Path folder;

    private static Minute minute(Kind kind, int number, int seconds, long complete, long failed) {
        return new Minute(
                kind,
                number,
                Duration.ofSeconds(seconds),
                seconds == 60 ? Minute.Ending.WHOLE : Minute.Ending.CUT,
                complete,
                failed,
                5 * complete + 4 * failed,
                failed,
                0,
                Duration.ofMillis(4500).multipliedBy(complete),
                Duration.ofMillis(600),
                Duration.ofMillis(60),
                0.5 * number,
                failed == 0 ? "" : "no answer before the deadline");
    }

    private TransactionsReport report(Minute... minutes) {
        return new TransactionsReport(plan, new Results(List.of(minutes)));
    }

    private TransactionsReport twoMinutes() {
        return report(
                minute(Kind.BLOCKING, 1, 60, 150, 1),
                minute(Kind.MULTIPLEXED, 1, 60, 300, 0),
                minute(Kind.BLOCKING, 2, 60, 160, 0),
                minute(Kind.MULTIPLEXED, 2, 60, 320, 3));
    }

    @Test
    void theTableHasTheThroughputOfBothClientsForEachMinute() {
        assertEquals("""
                minute   blocking (transactions/min)  multiplexed (transactions/min)  ratio
                1                              150.0                           300.0   2.00
                2                              160.0                           320.0   2.00
                average                        155.0                           310.0   2.00
                """, twoMinutes().minuteByMinute().text());
    }

    @Test
    void theSummaryCombinesTheResultsOfAllMinutes() {
        assertEquals("""
                client                    blocking  multiplexed
                threads                         50           50
                users                           25           49
                transactions/min             155.0        310.0
                mean latency (ms)             4500         4500
                transactions failed              1            3
                calls                         1554         3112
                past deadline                    1            3
                failed otherwise                 0            0
                CPU (% of one processor)      1.00         1.00
                CPU (ms/transaction)          3.87         1.94
                load average                  0.75         0.75
                """, twoMinutes().summary().transposed().text());
    }

    @Test
    void theThroughputOfAShortenedMinuteIsScaledToAFullMinute() {
        TransactionsReport cut = report(minute(Kind.BLOCKING, 1, 30, 75, 0));
        assertEquals("""
                minute   blocking (transactions/min)  multiplexed (transactions/min)  ratio
                1                              150.0                               -      -
                average                        150.0                               -      -
                """, cut.minuteByMinute().text());
        assertEquals(
                "minute  1  blocking        150.0 transactions per minute, 0 failed, cut after 30s",
                TransactionsReport.progress(cut.results().minutes().get(0)));
    }

    @Test
    void aReportWithoutCompleteTransactionsHasNoMeanLatencyAndNoRatio() {
        TransactionsReport none = report(minute(Kind.BLOCKING, 1, 60, 0, 9), minute(Kind.MULTIPLEXED, 1, 60, 0, 9));
        assertTrue(none.summary().transposed().text().contains("mean latency (ms)                -            -"));
        assertEquals(
                "minute  1  blocking          0.0 transactions per minute, 9 failed (first: no answer before the deadline)",
                TransactionsReport.progress(none.results().minutes().get(0)));
        JsonNode json = parsed(none);
        assertTrue(json.get("ratio").isNull());
    }

    @Test
    void theJsonContainsThePlanAndTheEnvironmentAndEveryMinute() {
        JsonNode json = parsed(twoMinutes());
        assertEquals(2.0, json.get("ratio").asDouble());
        assertEquals(4, json.get("minutes").size());
        assertEquals("some processor", json.get("environment").get("cpu").asText());
        assertEquals(25, json.get("plan").get("blocking").get("callThreads").asInt());
        assertEquals(10.0, json.get("plan").get("deadline").asDouble());
        assertEquals(155.0, json.get("summary").get(0).get("transactions/min").asDouble());
    }

    private JsonNode parsed(TransactionsReport report) {
        try {
            Path file = folder.resolve("result.json");
            Json.save(file, report.json(ENVIRONMENT));
            return Json.read(file);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void theCsvHasALineForEachMinuteOfEachClient() {
        List<String> lines = twoMinutes().everyMinute().csv().lines().toList();
        assertEquals(5, lines.size());
        assertEquals("1,blocking,60.000,150,1,150.0,4500.0,754,1,0,1.00,0.10,0.50", lines.get(1));
    }

    @Test
    void theChartHasBarsForBothClients() throws IOException {
        Path png = folder.resolve("chart.png");
        Path svg = folder.resolve("chart.svg");
        MinutesChart.save(twoMinutes(), ENVIRONMENT, png);
        MinutesChart.save(report(minute(Kind.BLOCKING, 1, 60, 150, 1)), ENVIRONMENT, svg);
        BufferedImage image = ImageIO.read(png.toFile());
        assertTrue(pixels(image, 0x0072B2) > 1000);
        assertTrue(pixels(image, 0xD55E00) > 1000);
        String text = Files.readString(svg);
        assertTrue(text.contains("<svg"));
        assertTrue(text.contains("50 threads for each client"), "the caption has no plan");
        assertTrue(text.contains("some processor, 2 processors"), "the caption has no machine");
    }

    private static long pixels(BufferedImage image, int color) {
        long n = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                n += (image.getRGB(x, y) & 0xFFFFFF) == color ? 1 : 0;
            }
        }
        return n;
    }

    @Test
    void theDocumentSectionContainsTheThreadBudgetAndTheResults() {
        String markdown = twoMinutes().markdown("![picture](images/x.svg)", ENVIRONMENT);
        assertTrue(markdown.contains(
                "blocking 25 for users, 25 for calls; multiplexed 49 for users, 1 with the selector."));
        assertTrue(markdown.contains("| average | 155.0 | 310.0 | 2.00 |"), markdown);
        assertTrue(markdown.contains("![picture](images/x.svg)"));
        assertTrue(markdown.contains("- Command: `java -jar experiments.jar x`"));
    }
}
