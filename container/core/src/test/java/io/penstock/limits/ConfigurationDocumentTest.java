package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests that {@code docs/configuration.md} is up to date. */
class ConfigurationDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "..", "docs", "configuration.md");

    /**
     * Compares {@code docs/configuration.md} with the tables of keys, counters and gauges. With {@code -Dpenstock.docs=write}, the test
     * first writes the document.
     */
    @Test
    void theConfigurationDocumentMatchesTheKeysAndTheCountersAndTheGauges() throws IOException {
        if ("write".equals(System.getProperty("penstock.docs"))) {
            Files.writeString(DOCUMENT, ConfigurationReference.markdown());
        }
        String written = Files.exists(DOCUMENT) ? Files.readString(DOCUMENT) : "";
        assertEquals(
                ConfigurationReference.markdown(),
                written,
                "docs/configuration.md does not match the code; generate it with"
                        + " mvn -pl container/core test -Dtest=ConfigurationDocumentTest -Dpenstock.docs=write");
    }
}
