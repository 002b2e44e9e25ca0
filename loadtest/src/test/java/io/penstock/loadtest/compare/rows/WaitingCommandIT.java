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
 * Runs the command {@code compare waiting} in its smallest size with the real servers. A {@link Work} is the task of a server in one
 * measurement. The runs are too short for valid results.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(900)
class WaitingCommandIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @Test
    void eachWorkIsMeasuredWithTheServersThatHaveItsContent() throws Exception {
        int status = execute(
                "--servers=penstock-defaults,tomcat-defaults,boot-penstock",
                "--works=wait-20-start,wait-20,beside-8-servlets-start,beside-2-paths-start");
        assertEquals(0, status, err::toString);
        JsonNode json = Json.read(folder.resolve("waiting.json"));
        assertEquals(0, json.get("notMeasured").size(), err::toString);
        Set<String> measured = new LinkedHashSet<>();
        for (JsonNode turn : json.get("turns")) {
            String name = turn.get("work").asText() + " " + turn.get("server").asText();
            measured.add(name);
            assertTrue(turn.get("threads").asInt() > 1, turn::toString);
            assertTrue(turn.get("residentMegabytes").asInt() > 1, turn::toString);
            assertEquals(
                    name.startsWith("beside"),
                    turn.get("quickP99Millis") != null
                            && !turn.get("quickP99Millis").isNull(),
                    turn::toString);
        }
        assertEquals(
                Set.of(
                        "wait-20-start penstock-defaults",
                        "wait-20-start tomcat-defaults",
                        "wait-20 penstock-defaults",
                        "wait-20 tomcat-defaults",
                        "beside-8-servlets-start penstock-defaults",
                        "beside-8-servlets-start tomcat-defaults",
                        "beside-2-paths-start boot-penstock"),
                measured);
        assertTrue(out.toString().contains("≥ 1 × the best"), out::toString);
        assertTrue(out.toString().contains("≤ 20"), out::toString);
    }

    @Test
    void penstockIsComparedWithAnEarlierBuild() throws Exception {
        Path peers = Files.createDirectory(folder.resolve("peers"));
        for (String name : List.of("penstock", "penstock-before")) {
            Files.copy(Path.of("target/peers/penstock.jar"), peers.resolve(name + ".jar"));
        }
        int status = execute("--servers=penstock-defaults,penstock-before", "--works=quick-start", "--peers=" + peers);
        assertEquals(0, status, err::toString);
        for (JsonNode row : Json.read(folder.resolve("waiting.json")).get("rows")) {
            assertTrue(row.get("ratio").asDouble() > 0, row::toString);
        }
        assertTrue(out.toString().contains(", before, defaults"), out::toString);
    }

    @Test
    void aWorkThatNoServerCanDoIsReported() {
        assertTrue(execute("--servers=tomcat-defaults", "--works=boot-150-start") != 0);
        assertTrue(err.toString().contains("none of the servers has the content"), err::toString);
    }

    @Test
    void virtualThreadsHaveTheirOwnWorks() {
        assertEquals(2, execute("--virtual-threads", "--works=beside-400"));
        assertTrue(err.toString().contains("no such work: 'beside-400'; use wait-20-start, "), err::toString);
    }

    private int execute(String... options) {
        Set<String> arguments = new LinkedHashSet<>(List.of("waiting", "--smoke", "--heap=128m", "--gc=serial"));
        arguments.addAll(List.of(options));
        arguments.add("--out=" + folder);
        if (arguments.stream().noneMatch(option -> option.startsWith("--peers"))) {
            arguments.add("--peers=target/peers");
        }
        return new CommandLine(new CompareCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(new String[0]));
    }
}
