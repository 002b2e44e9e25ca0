package io.penstock.loadtest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.report.Table.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonTest {
    @TempDir
    Path directory;

    private record Measured(String name, Duration took, Instant at, Table table) {}

    @Test
    void savedValuesAreReadBack() throws IOException {
        Path file = directory.resolve("a.json");
        Table table = new Table(Column.text("a"), Column.count("b")).add("x", 1).add("y", null);
        Json.save(file, new Measured("n", Duration.ofMillis(1500), Instant.EPOCH, table));
        JsonNode read = Json.read(file);
        assertEquals("n", read.get("name").textValue());
        assertEquals(1.5, read.get("took").doubleValue());
        assertEquals("1970-01-01T00:00:00Z", read.get("at").textValue());
        assertEquals(1, read.get("table").get(0).get("b").intValue());
        assertTrue(read.get("table").get(1).get("b").isNull());
    }

    private record Numbers(double there, double missing, Double boxed) {}

    @Test
    void nanIsSavedAsNull() throws IOException {
        Path file = directory.resolve("a.json");
        Json.save(file, new Numbers(1.5, Double.NaN, Double.NaN));
        JsonNode read = Json.read(file);
        assertEquals(1.5, read.get("there").doubleValue());
        assertTrue(read.get("missing").isNull());
        assertTrue(read.get("boxed").isNull());
    }

    @Test
    void theDescriptionOfTheMachineIsSaved() throws IOException {
        Path file = directory.resolve("a.json");
        Environment here = Environment.of("loadtest run URL");
        Json.save(file, here);
        JsonNode read = Json.read(file);
        assertEquals(
                Runtime.getRuntime().availableProcessors(),
                read.get("processors").intValue());
        assertEquals("loadtest run URL", read.get("command").textValue());
        assertTrue(here.markdown().contains("- Command: `loadtest run URL`\n"), here.markdown());
        assertTrue(here.memory() > 0 && !here.cpu().isBlank() && !here.kernel().isBlank(), here.line());
    }

    @Test
    void anUnsupportedValueIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Json.text(Map.of("a", new Object())));
    }
}
