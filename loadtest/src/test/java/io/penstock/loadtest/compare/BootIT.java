package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.Main;
import io.penstock.loadtest.report.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the command {@code compare boot} in its smallest size, with one server. The runs are too short for valid results. */
@Timeout(900)
@Isolated("an application with Spring Boot and Hibernate must start within three minutes")
class BootIT {

    @ParameterizedTest
    @ValueSource(
            strings = {"--rate=20 --requests=20 --alone=5 --warm-up=5 --deadline=30s", "--start --json-warm-up=1s"})
    void anApplicationIsMeasured(String options, @TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        int exit = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(("compare boot --smoke --servers=boot-penstock --out=" + folder + " " + options).split(" "));
        assertEquals(0, exit, out.toString());
        boolean start = options.startsWith("--start");
        JsonNode json = Json.read(folder.resolve(start ? "boot-start.json" : "boot.json"));
        assertEquals(0, json.get("notMeasured").size(), out::toString);
        assertEquals(start ? 1 : 3, json.get("turns").size(), out::toString);
        for (JsonNode turn : json.get("turns")) {
            assertEquals(0, turn.get("notAnswered").asInt(), turn::toString);
            assertTrue(turn.get(start ? "requestsPerSecond" : "answered").asInt() > 0, turn::toString);
        }
    }
}
