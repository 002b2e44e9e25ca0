package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "..", "docs", "configuration.md");

    /** Compares the document with the tables. With {@code -Dpenstock.docs=write}, the test writes the document before. */
    @Test
    void theDocumentMatchesTheTables() throws IOException {
        if ("write".equals(System.getProperty("penstock.docs"))) {
            Files.writeString(DOCUMENT, ConfigurationReference.markdown());
        }
        String written = Files.exists(DOCUMENT) ? Files.readString(DOCUMENT) : "";
        assertEquals(
                ConfigurationReference.markdown(),
                written,
                "docs/configuration.md is not what the code says; write it again by"
                        + " mvn -pl container/core test -Dtest=ConfigurationDocumentTest -Dpenstock.docs=write");
    }
}
