package io.penstock.experiments.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs each command of {@code experiments io} with small sizes. */
@Timeout(120)
class IoCommandTest {
    private static final String[] SHORTEST_RUN = {
        "--forks=0", "--warm-ups=0", "--iterations=1", "--iteration=20ms", "--rounds=1"
    };

    @TempDir
    private Path directory;

    private Path scratch;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void allowConcurrentBenchmarks() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    @BeforeEach
    void createScratchDirectory() throws IOException {
        scratch = Files.createDirectory(directory.resolve("scratch"));
    }

    @AfterEach
    void assertScratchDirectoryIsEmpty() throws IOException {
        try (Stream<Path> left = Files.list(scratch)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void theSendCommandPrintsTheOtherResultsIfAServerCannotStart() {
        assertEquals(3, run("send", "--size=300000", "--peers=" + directory));
        assertTrue(out.toString().contains("One file of 300,000 bytes over loopback"), out.toString());
        assertTrue(out.toString().matches("(?s).*\\ntransferTo \\(sendfile\\) +[0-9.,]+ .*"), out.toString());
        assertTrue(err.toString().contains("experiments: not measured: Penstock, GET: No such file: "), err.toString());
    }

    @Test
    void theCopyCommandPrintsColumnsForEachFileSize() {
        assertEquals(0, run("copy", "--sizes=64k,1m", "--jmh-up-to=64k"), err.toString());
        assertTrue(
                out.toString().matches("(?s).*\\nway +64 KB, ms +64 KB +1 MB, ms +1 MB +all sizes\\n.*"),
                out.toString());
        assertTrue(err.toString().contains("64 KB, transferTo: "), err.toString());
        assertTrue(err.toString().matches("(?s).*\\nround 1 of 1 +transferTo .* ms, 1 MB\\R.*"), err.toString());
        assertTrue(out.toString().matches("(?s).*\\nstream, 16 KiB array .*100–.*"), out.toString());
    }

    @Test
    void theFloatsCommandWritesJsonAndCsvAndADocument() throws IOException {
        Path docs = directory.resolve("docs.md");
        Files.writeString(docs, "before\n<!-- begin io-floats -->\nold\n<!-- end io-floats -->\nafter\n");
        Path json = directory.resolve("f.json");
        Path csv = directory.resolve("f.csv");
        assertEquals(
                0,
                run("floats", "--floats=2000", "--json=" + json, "--csv=" + csv, "--write-docs=" + docs),
                err.toString());
        JsonNode experiment = Json.read(json).get("experiments").get(0);
        assertEquals("io-floats", experiment.get("name").asText());
        assertEquals(12, experiment.get("figures").size());
        assertEquals(13, Files.readAllLines(csv).size());
        String text = Files.readString(docs);
        assertTrue(text.startsWith("before\n<!-- begin io-floats -->\n"), text);
        assertTrue(text.contains("| one block, FloatBuffer view | "), text);
        assertTrue(text.contains("- Command: `io floats"), text);
    }

    @Test
    void thePacketsCommandPrintsTheResultOfTheGatheringWrite() {
        assertEquals(0, run("packets"), err.toString());
        assertTrue(out.toString().contains("head and body in one gathering write"), out.toString());
    }

    @Test
    void theAppendsCommandPrintsTheNumberOfRecordsThatAreLostIfTheFileIsClosedWithoutWaiting() {
        assertEquals(0, run("appends", "--records=2000"), err.toString());
        assertTrue(out.toString().contains("lost by a plain close"), out.toString());
    }

    @Test
    void wrongOptionsAreReportedBeforeTheFirstMeasurement() throws IOException {
        assertWrong("--size must be at least 1 byte", "send", "--size=0");
        assertWrong("--server must be a URL such as", "send", "--server=ftp://localhost/");
        assertWrong("'2x' is not a size", "copy", "--sizes=2x");
        assertWrong("--floats must be from 1", "floats", "--floats=0");
        assertWrong("--head must be from 1", "packets", "--head=0");
        assertWrong("--records must be from 1", "appends", "--records=0");
        assertWrong("No such file: ", "packets", "--write-docs=" + directory.resolve("none.md"));
        Path half = Files.writeString(directory.resolve("half.md"), "<!-- begin io-packets -->");
        assertWrong("has no line <!-- end io-packets -->", "packets", "--write-docs=" + half);
    }

    @Test
    void aMissingDirectoryAndTooLittleDiskSpaceAreReported() {
        assertEquals(3, run("send", "--dir=" + directory.resolve("missing")));
        assertTrue(err.toString().contains("is not a writable directory"), err.toString());
        assertEquals(3, run("send", "--size=99999g"));
        assertTrue(err.toString().contains(" MB are free: free some space"), err.toString());
    }

    private void assertWrong(String message, String... arguments) {
        assertEquals(2, run(arguments));
        assertTrue(err.toString().contains(message), err.toString());
    }

    private int run(String... arguments) {
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(SHORTEST_RUN));
        if (Stream.of(arguments).noneMatch(argument -> argument.startsWith("--dir"))) {
            all.add("--dir=" + scratch);
        }
        return new CommandLine(new IoCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
    }
}
