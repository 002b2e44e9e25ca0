package io.penstock.loadtest.compare.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.compare.CompareCommand;
import io.penstock.loadtest.report.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests that the measurements of a server are kept if the server ends before it reports the size of its heap. */
class MissingHeapReportTest {
    @TempDir
    Path folder;

    @Test
    void theOtherMeasurementsAreKeptAndTheReasonForTheMissingHeapIsReported() throws Exception {
        Path peers = Files.createDirectory(folder.resolve("peers"));
        writeProgram(peers.resolve("penstock.jar"));
        Path results = folder.resolve("results");
        StringWriter err = new StringWriter();
        int status = new CommandLine(new CompareCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(
                        "users",
                        "--peers=" + peers,
                        "--servers=penstock",
                        "--users=2",
                        "--content=servlet",
                        "--rounds=2",
                        "--repeats=0",
                        "--ramp-up=20ms",
                        "--warm-up=20ms",
                        "--duration=200ms",
                        "--heap=64m",
                        "--out=" + results);
        assertEquals(0, status, err.toString());
        JsonNode json = Json.read(results.resolve("users.json"));
        assertEquals(1, json.get("runs").size());
        JsonNode run = json.get("runs").get(0);
        assertTrue(run.get("answersPerSecond").asDouble() > 0, run.toString());
        assertTrue(run.get("heapBytes").isNull(), run.toString());
        String reason = json.get("notMeasured").get(0).get("reason").asText();
        assertTrue(reason.startsWith("its heap: penstock has ended; its last lines: "), reason);
        // The second entry is for the second round, which could not be measured.
        assertEquals(2, json.get("notMeasured").size());
    }

    private static void writeProgram(Path jar) throws IOException {
        Class<?> program = PeerThatEndsAtCollection.class;
        String entry = program.getName().replace('.', '/') + ".class";
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, program.getName());
        try (InputStream in = Objects.requireNonNull(program.getResourceAsStream("/" + entry));
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
        }
    }
}
