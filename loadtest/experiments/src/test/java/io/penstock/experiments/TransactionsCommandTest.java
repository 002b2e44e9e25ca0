package io.penstock.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.report.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Tests the command {@code transactions}. It compares a blocking client with a multiplexed client. Both clients call a simulated server.
 * The option {@code --minute} shortens each measured minute to at most three seconds.
 */
@Timeout(120)
class TransactionsCommandTest {
    private static final List<String> SHORT_RUN =
            List.of("--median=20ms", "--tail-p99=60ms", "--minute=1s", "--threads=10", "--deadline=1s");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void bothClientsAreMeasuredAndCompared() throws IOException {
        Path docs = folder.resolve("performance.md");
        Files.writeString(docs, "<!-- begin transactions -->\n<!-- end transactions -->\n");
        assertEquals(
                0,
                run(
                        SHORT_RUN,
                        "--minute=3s",
                        "--deadline=60s",
                        "--json=" + folder.resolve("t.json"),
                        "--csv=" + folder.resolve("t.csv"),
                        "--chart=" + folder.resolve("t.png"),
                        "--write-docs=" + docs));
        Matcher average = Pattern.compile("(?m)^average +([0-9.]+) +([0-9.]+) +([0-9.]+)$")
                .matcher(out.toString());
        assertTrue(average.find(), out.toString());
        // This test does not check how large the ratio is, since other programs can use the processors. The measured
        // ratio is in docs/results/transactions.md.
        double blocking = Double.parseDouble(average.group(1));
        double multiplexed = Double.parseDouble(average.group(2));
        double ratio = Json.read(folder.resolve("t.json")).get("ratio").asDouble();
        assertTrue(blocking > 0 && multiplexed > 0, out.toString());
        assertEquals(multiplexed / blocking, ratio, 0.01, out.toString());
        assertEquals(ratio, Double.parseDouble(average.group(3)), 0.01);
        assertTrue(Pattern.compile("(?m)^users +5 +9$").matcher(out.toString()).find(), out.toString());
        assertEquals(3, Files.readAllLines(folder.resolve("t.csv")).size());
        assertTrue(Files.size(folder.resolve("t.png")) > 1000);
        assertTrue(Files.size(folder.resolve("images/transactions.svg")) > 1000);
        assertTrue(Files.readString(docs).contains("| average | "), Files.readString(docs));
        assertEquals("", err.toString());
    }

    @Test
    void callsPastTheDeadlineAreCountedAsFailedForBothClients() {
        assertEquals(3, run(SHORT_RUN, "--median=5s", "--tail-p99=5s", "--deadline=100ms", "--lead-in=0"));
        String report = out.toString();
        assertTrue(report.contains("(first: no answer before the deadline)"), report);
        assertTrue(report.matches("(?s).*\\Rpast deadline +[1-9][0-9]* +[1-9][0-9]*\\R.*"), report);
        assertTrue(report.matches("(?s).*\\Rtransactions/min +0\\.0 +0\\.0\\R.*"), report);
    }

    @Test
    void aWrongOptionIsReportedInOneLine() throws IOException {
        assertWrong("--threads must be at least 4", "--threads=3");
        assertWrong("--tail-p99 must not be below --median", "--median=2s", "--tail-p99=1s");
        assertWrong("'soon' is not a duration", "--deadline=soon");
        assertWrong("--blocking-users must be between 1 and the 50 threads, not 51", "--blocking-users=51");
        assertWrong("A chart must be a .png or .svg file", "--chart=" + folder.resolve("chart.gif"));
        assertWrong("No such file: ", "--write-docs=" + folder.resolve("none.md"));
        Path half = Files.writeString(folder.resolve("half.md"), "<!-- begin transactions -->");
        assertWrong("has no line <!-- end transactions -->", "--write-docs=" + half);
        assertWrong("--calls must be between 1 and 1000, not 0", "--calls=0");
    }

    private void assertWrong(String message, String... options) {
        err.getBuffer().setLength(0);
        assertEquals(2, run(List.of(), options));
        assertTrue(err.toString().contains(message), err.toString());
        assertEquals(1, err.toString().lines().count(), err.toString());
    }

    @Test
    void anInterruptedRunPrintsTheMeasurementsSoFar() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "transactions",
                "--minutes=100"));
        command.addAll(SHORT_RUN);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            while (line != null && !line.startsWith("minute  2  blocking")) {
                line = output.readLine();
            }
            // The destroy method of the handle has the same effect as Ctrl-C. Process.destroy would also close the
            // output, which the test still reads.
            assertTrue(process.toHandle().destroy());
            String rest = output.lines().collect(Collectors.joining("\n"));
            assertTrue(rest.contains("Interrupted. Measured until then:"), rest);
            assertTrue(rest.matches("(?s).*\naverage +[0-9.]+ +[0-9.]+ +[0-9.]+\n.*"), rest);
            assertFalse(rest.contains("Exception"), rest);
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        } finally {
            process.destroyForcibly();
        }
    }

    private int run(List<String> options, String... more) {
        List<String> arguments = new ArrayList<>(List.of("transactions"));
        List<String> overridden =
                List.of(more).stream().map(option -> option.split("=")[0]).toList();
        options.stream()
                .filter(option -> !overridden.contains(option.split("=")[0]))
                .forEach(arguments::add);
        arguments.addAll(List.of(more));
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments.toArray(String[]::new));
    }
}
