package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the alerts in {@code docs/alerts.yml} with their explanations in {@code docs/operations.md}. */
class AlertsDocumentTest {
    private static final Path DOCS = Path.of("..", "..", "docs");

    private static List<String> found(String file, String pattern) throws Exception {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(Files.readString(DOCS.resolve(file)))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void theOperationsDocumentExplainsEachAlert() throws Exception {
        List<String> alerts = found("alerts.yml", "^ +- alert: (\\w+)$");
        assertTrue(alerts.size() > 8, alerts::toString);
        assertEquals(alerts, found("operations.md", "^\\| `(Penstock\\w+)` \\|"));
    }
}
