package io.penstock.loadtest.compare.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.compare.CompareCommand;
import io.penstock.loadtest.report.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;

/**
 * Runs the command {@code compare rows} in its smallest size with the real servers. A {@link Work} is the task of a server in one
 * measurement. The runs are too short for valid results.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(900)
class RowsCommandIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @Test
    void everySelectedWorkIsMeasuredWithEverySelectedServer() throws Exception {
        List<String> works =
                List.of("hello-64", "echo-64k", "new-connection", "sleep", "start-war-archive", "idle", "burst");
        int status = execute(
                "--smoke",
                "--servers=penstock-defaults,tomcat",
                "--works=" + String.join(",", works),
                "--out=" + folder);
        assertEquals(0, status, err.toString());
        Set<String> measured = new LinkedHashSet<>();
        JsonNode json = Json.read(folder.resolve("rows.json"));
        for (JsonNode turn : json.get("turns")) {
            measured.add(turn.get("work").asText() + " " + turn.get("server").asText());
        }
        assertEquals(
                0, json.get("notMeasured").size(), () -> json.get("notMeasured").toString());
        Set<String> expected = new LinkedHashSet<>();
        for (String work : works) {
            expected.add(work + " penstock-defaults");
            expected.add(work + " tomcat");
        }
        assertEquals(expected, measured, out.toString());
        assertTrue(out.toString().contains("Penstock "), out.toString());
        assertTrue(out.toString().contains("≥ 1.35 × the best"), out.toString());
        assertTrue(Files.size(folder.resolve("rows.csv")) > 0);
    }

    @Test
    void penstockIsAlsoMeasuredWithAllOptionsEnabled() throws Exception {
        assertEquals(0, execute("--smoke", "--servers=penstock-defaults", "--works=hello-256", "--out=" + folder));
        JsonNode json = Json.read(folder.resolve("rows.json"));
        Set<String> measured = new LinkedHashSet<>();
        json.get("turns").forEach(turn -> measured.add(turn.get("server").asText()));
        assertTrue(measured.contains("penstock-all-on"), () -> measured + " " + json.get("notMeasured"));
        assertTrue(out.toString().contains("≤ 1.03 × with all on"), out.toString());
    }

    @Test
    void theCommandSucceedsAndReportsAServerThatCannotStart() throws Exception {
        Path peers = Files.createDirectory(folder.resolve("peers"));
        Files.copy(Path.of("target/peers/penstock.jar"), peers.resolve("penstock.jar"));
        Files.writeString(peers.resolve("jetty.jar"), "no program");
        int status = execute("--smoke", "--servers=jetty,penstock", "--works=hello-64,burst", "--peers=" + peers);
        assertEquals(0, status, err.toString());
        assertTrue(err.toString().contains("hello-64, jetty: not measured: jetty has not started"), err.toString());
        assertTrue(err.toString().contains("burst, jetty: not measured: jetty has not started"), err.toString());
        assertTrue(out.toString().contains("jetty has not started"), out.toString());
    }

    @Test
    void wrongOptionsAreRefused() {
        assertEquals(2, execute("--works=dancing"));
        assertTrue(err.toString().contains("no such work: 'dancing'; use hello-64, "), err.toString());
        assertEquals(2, execute("--duration=0"));
        assertEquals(2, execute("--client=nobody"));
        assertEquals(2, execute("--rounds=0"));
        assertEquals(2, execute("--repeats=-1"));
        assertEquals(2, execute("--smoke", "--write-docs=some.md"));
    }

    private int execute(String... options) {
        List<String> arguments = new ArrayList<>(List.of("rows", "--heap=128m", "--gc=serial"));
        arguments.addAll(List.of(options));
        if (arguments.stream().noneMatch(option -> option.startsWith("--peers"))) {
            arguments.add("--peers=target/peers");
        }
        return new CommandLine(new CompareCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(new String[0]));
    }
}
