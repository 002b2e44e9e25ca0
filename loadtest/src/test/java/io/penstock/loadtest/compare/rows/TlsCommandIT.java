package io.penstock.loadtest.compare.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.compare.CompareCommand;
import io.penstock.loadtest.report.Json;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * Runs the command {@code compare --tls} in its smallest size with the real servers. A {@link Work} is the task of a server in one
 * measurement. The runs are too short for valid results.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(900)
@NeedsProgram({Program.CC, Program.WRK})
class TlsCommandIT {
    private static final Path HEADER = Path.of("/usr/include/openssl/ssl.h");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @Test
    void everyWorkIsMeasuredOverTlsWithEveryServer() throws Exception {
        assumeTrue(
                Files.exists(HEADER) || "true".equals(System.getenv("CI")),
                "the headers of OpenSSL are missing (Debian: libssl-dev)");
        List<String> works =
                List.of("tls-hello-64", "tls-file-64", "tls-full-1.3", "tls-resumed-1.3", "tls-resumed-1.2");
        List<String> servers = List.of("penstock-defaults", "tomcat", "jetty", "undertow");
        assertEquals(
                0,
                execute("--works=" + String.join(",", works), "--servers=" + String.join(",", servers)),
                err::toString);
        JsonNode json = Json.read(folder.resolve("tls.json"));
        assertEquals(
                0, json.get("notMeasured").size(), () -> json.get("notMeasured").toString());
        Set<String> measured = new LinkedHashSet<>();
        for (JsonNode turn : json.get("turns")) {
            String name = turn.get("work").asText() + " " + turn.get("server").asText();
            measured.add(name);
            JsonNode rate = turn.get(
                    name.contains("hello") || name.contains("file") ? "requestsPerSecond" : "handshakesPerSecond");
            assertTrue(rate.asDouble() > 0, turn::toString);
            assertEquals(0, turn.get("notAnswered").asDouble(), turn::toString);
        }
        Set<String> expected = new LinkedHashSet<>();
        works.forEach(work -> servers.forEach(server -> expected.add(work + " " + server)));
        assertEquals(expected, measured);
        assertTrue(out.toString().contains("≥ 0.95 × the best"), out::toString);
        assertTrue(out.toString().contains("server CPU µs/handshake"), out::toString);
    }

    @Test
    void aServerIsReportedIfItCannotBeMeasuredOverTls() {
        assertEquals(0, execute("--works=tls-hello-64", "--servers=tomcat7,penstock-defaults"), err::toString);
        assertTrue(err.toString().contains("tls-hello-64, tomcat7: not measured:"), err::toString);
    }

    @Test
    void aMeasurementCanBeContinuedOnlyWithTheSameOptions() throws Exception {
        assertEquals(0, execute("--works=tls-hello-64", "--servers=penstock-defaults"), err::toString);
        assertEquals(0, execute("--works=tls-hello-256", "--servers=penstock-defaults", "--go-on"), err::toString);
        JsonNode turns = Json.read(folder.resolve("tls.json")).get("turns");
        assertEquals("tls-hello-64", turns.get(0).get("work").asText());
        assertEquals("tls-hello-256", turns.get(1).get("work").asText());
        assertTrue(out.toString().contains("In part measured by an earlier run, "), out::toString);
        assertEquals(2, execute("--works=tls-hello-256", "--servers=penstock", "--go-on"));
        assertTrue(err.toString().contains("--go-on needs the same options"), err::toString);
    }

    @Test
    void aWorkNameWithoutThePrefixTlsIsRefused() {
        assertEquals(2, execute("--works=hello-64"));
        assertTrue(err.toString().contains("no such work: 'hello-64'; use tls-hello-64, "), err::toString);
    }

    private int execute(String works, String... servers) {
        CommandLine command = new CommandLine(new CompareCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        String[] arguments = {"--tls", "--smoke", "--heap=128m", "--gc=serial", "--peers=target/peers", works};
        Set<String> all = new LinkedHashSet<>(List.of(arguments));
        all.addAll(List.of(servers));
        all.add("--out=" + folder);
        return command.execute(all.toArray(new String[0]));
    }
}
