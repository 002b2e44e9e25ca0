package io.penstock.loadtest.compare.users;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.compare.CompareCommand;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.report.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;

/**
 * Tests the command {@code compare users} in a small size with real servers. The tests run concurrently with other tests, and the runs are
 * too short for valid results.
 */
@Execution(ExecutionMode.CONCURRENT)
class UsersCommandIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @Test
    void theResultsAreWrittenToFilesAndToTheDocumentForAllServersThatSupportThisJava() throws Exception {
        Path document = folder.resolve("performance.md");
        Files.writeString(
                document, "# Figures\n\n<!-- begin compare-users -->\nold\n<!-- end compare-users -->\n\nThe rest.\n");
        Path results = folder.resolve("results/of-users");
        int status = execute(
                "--users=8,16",
                "--rounds=1",
                "--repeats=0",
                "--ramp-up=50ms",
                "--duration=300ms",
                "--warm-up=100ms",
                "--heap=128m",
                "--out=" + results,
                "--write-docs=" + document);
        assertEquals(0, status, err.toString());
        assertEveryServerHasRows(Json.read(results.resolve("users.json")));
        for (Path images : List.of(results, folder.resolve("images"))) {
            assertFiguresCanBeRead(images);
        }
        String text = Files.readString(document);
        assertAll(
                () -> assertFalse(text.contains("old"), text),
                () -> assertTrue(text.endsWith("\nThe rest.\n"), text),
                () -> assertTrue(text.contains("](images/users-text-requests.svg)"), text),
                () -> assertTrue(text.contains("](images/users-servlet-connect-errors.svg)"), text),
                () -> assertTrue(text.contains("- Command: `"), text),
                () -> assertTrue(text.contains("Jetty 12.1"), text),
                () -> assertTrue(text.contains("Tomcat 7.0.109, defaults"), text),
                () -> assertTrue(out.toString().contains("Undertow 2.3"), out.toString()),
                () -> assertTrue(err.toString().contains("runs, about "), err.toString()),
                () -> assertTrue(
                        Files.readString(results.resolve("users-text.csv")).startsWith("users,server,title,runs,")));
    }

    @Test
    void aServerThatCannotStartIsReportedWithTheReason() {
        // The JVM refuses a heap of 1 KB.
        int status = execute("--servers=penstock,jetty", "--users=4", "--rounds=1", "--heap=1k", "--warm-up=100ms");
        assertEquals(3, status);
        assertTrue(
                err.toString().contains("4 users, penstock: not measured: penstock has not started"), err.toString());
        assertTrue(err.toString().contains("4 users, jetty: not measured"), err.toString());
        assertTrue(err.toString().contains("Nothing was measured: penstock has not started"), err.toString());
    }

    @Test
    void theErrorForMissingServerProgramsContainsTheBuildCommand() {
        assertEquals(3, execute("--peers=" + folder, "--users=4"));
        assertTrue(err.toString().contains("run 'mvn -DskipTests package' first"), err.toString());
    }

    @Test
    void aDocumentWithoutTheSectionIsReportedBeforeTheFirstMeasurement() throws Exception {
        Path document = Files.writeString(folder.resolve("p.md"), "# Nothing\n");
        assertEquals(3, execute("--write-docs=" + document));
        assertTrue(err.toString().contains("<!-- begin compare-users -->"), err.toString());
    }

    @Test
    void wrongOptionsAreRefused() {
        assertEquals(2, execute("--users=0"));
        assertEquals(2, execute("--rounds=0"));
        assertEquals(2, execute("--servers=nginx"));
        assertEquals(2, execute("--content=film"));
        assertEquals(2, execute("--heap=much"));
        assertEquals(2, execute("--duration=4"));
    }

    private void assertEveryServerHasRows(JsonNode json) {
        List<String> expected = new ArrayList<>();
        for (int users : new int[] {8, 16}) {
            Server.forRequestsWithoutBodies().stream()
                    .filter(server -> server.runsOn(Runtime.version().feature()))
                    .forEach(server -> {
                        expected.add(users + " " + server.id() + " TEXT");
                        expected.add(users + " " + server.id() + " SERVLET");
                    });
        }
        List<String> measured = new ArrayList<>();
        for (JsonNode run : json.get("runs")) {
            measured.add(run.get("users").asInt() + " " + run.get("server").asText() + " "
                    + run.get("asked").asText());
            assertTrue(run.get("answersPerSecond").asDouble() > 0, run.toString());
            assertTrue(run.get("heapBytes").asLong() > 0, run.toString());
            assertTrue(run.get("threads").asInt() > 5, run.toString());
            assertEquals(0, run.get("troubles").asInt(), run.toString());
        }
        assertEquals(expected, measured);
        assertEquals(0, json.get("notMeasured").size());
    }

    private static void assertFiguresCanBeRead(Path images) throws Exception {
        for (String content : List.of("text", "servlet")) {
            for (String figure : List.of("requests", "connect-errors")) {
                Path svg = images.resolve("users-" + content + "-" + figure + ".svg");
                assertEquals("svg", rootOf(svg));
                assertTrue(ImageIO.read(images.resolve("users-" + content + "-" + figure + ".png")
                                        .toFile())
                                .getWidth()
                        > 500);
            }
        }
    }

    private static String rootOf(Path svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        // The XML parser must not download the DTD from its URL.
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        return factory.newDocumentBuilder()
                .parse(svg.toFile())
                .getDocumentElement()
                .getTagName();
    }

    private int execute(String... options) {
        List<String> arguments = new ArrayList<>(List.of("users"));
        arguments.addAll(List.of(options));
        CommandLine compare = new CommandLine(new CompareCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println(failure.getMessage());
                    return 3;
                });
        return compare.execute(arguments.toArray(new String[0]));
    }
}
