package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.Main;
import io.penstock.loadtest.report.Json;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the comparison of session stores in its smallest size. The runs are too short for valid results. */
@NeedsProgram(Program.REDIS_SERVER)
@Timeout(900)
class SessionsIT {

    @Test
    void sessionsAreStoredInRedisAndPenstockLosesNoChangesOnOneNode(@TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                // On a busy machine, Redis can be without an answer for longer than the default of this setting.
                // Redis can free the buffers of idle connections meanwhile. With many sessions, this changes the size
                // of one little.
                .execute(
                        "compare",
                        "sessions",
                        "--smoke",
                        "--set=session-store-wait=30s",
                        "--stored=1000",
                        "--out=" + folder);
        assertEquals(0, exit, out.toString());
        JsonNode rounds = Json.read(folder.resolve("sessions.json")).get("rounds");
        assertEquals(2, rounds.size(), out.toString());
        for (JsonNode round : rounds) {
            assertTrue(round.get("failure").isNull(), round.toString());
            assertEquals(0, round.get("failed").asInt(), round.toString());
            // Each request reads and writes the session, so each request needs about two calls to Redis. The attributes
            // of a session have more than 1024 bytes.
            assertTrue(round.get("callsPerRequest").asDouble() >= 1.9, round.toString());
            assertTrue(round.get("storedBytesEach").asInt() > 1024, round.toString());
        }
        JsonNode penstock = rounds.get(0);
        assertEquals("penstock-redis", penstock.get("server").asText());
        assertEquals(0, penstock.get("oneNodeOwnLost").asInt(), penstock.toString());
        assertEquals(0, penstock.get("oneNodeCounterLost").asInt(), penstock.toString());
        assertEquals(0, penstock.get("oneNodeInPlaceLost").asInt(), penstock.toString());
        assertEquals(0, penstock.get("twoNodesOwnLost").asInt(), penstock.toString());
    }
}
