package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.Main;
import io.penstock.loadtest.report.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Runs the command {@code compare boot} in its smallest size, with one server. The runs are too short for valid results. */
@Timeout(900)
@Isolated("an application with Spring Boot and Hibernate must start within three minutes")
class BootIT {

    @Test
    void normalRequestsAreAnsweredDuringSlowUploadsAndReads(@TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(
                        "compare",
                        "boot",
                        "--smoke",
                        "--servers=boot-penstock",
                        "--upload-size=4",
                        "--drop-pause=100ms",
                        "--rate=20",
                        "--requests=20",
                        "--alone=5",
                        "--warm-up=5",
                        "--deadline=30s",
                        "--out=" + folder);
        assertEquals(0, exit, out.toString());
        JsonNode rounds = Json.read(folder.resolve("boot.json")).get("rounds");
        assertEquals(6, rounds.size(), out.toString());
        for (JsonNode round : rounds) {
            assertTrue(round.get("failure").isNull(), round.toString());
            assertEquals(round.get("requests"), round.get("answered"), round.toString());
            if (round.get("part").asText().contains("beside 20 slow uploads")) {
                assertTrue(
                        round.get("slowClients").asText().matches(".*; \\d+ of them answered, 0 refused"),
                        round.toString());
            }
        }
    }
}
