package io.penstock.loadtest.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.Main;
import io.penstock.loadtest.load.ScriptedServer;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a run that is interrupted by a signal, for example by Ctrl-C. */
@Timeout(120)
class InterruptedRunTest {
    @TempDir
    Path directory;

    @Test
    void anInterruptedRunPrintsItsMeasurementsAndWritesTheCsvFile() throws Exception {
        Path csv = directory.resolve("a.csv");
        try (ScriptedServer server =
                new ScriptedServer((number, connection) -> ScriptedServer.answer(connection, ScriptedServer.OK))) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "run",
                            server.url(),
                            "--users=2",
                            "--think=5ms",
                            "--warm-up=0",
                            "--duration=1h",
                            "--csv=" + csv)
                    .start();
            try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
                String progress = err.readLine();
                while (progress.contains(": 0 requests/s")) {
                    progress = err.readLine(); // a busy machine can be without a response at first
                }
                assertTrue(progress.contains("requests/s"), progress);
                process.toHandle().destroy();
                String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(out.contains("Interrupted. Measured until then:"), out);
                assertTrue(out.matches("(?s).*responses with 2xx +[1-9].*"), out);
                assertTrue(process.waitFor(60, TimeUnit.SECONDS));
                assertEquals("measured,value,unit", Files.readAllLines(csv).get(0));
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
