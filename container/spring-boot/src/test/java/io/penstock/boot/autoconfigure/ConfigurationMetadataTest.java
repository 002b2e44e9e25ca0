package io.penstock.boot.autoconfigure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.limits.Key;
import io.penstock.limits.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Editors read the metadata of the properties {@code server.penstock.*}. The metadata must match the configuration keys in {@link Key}. */
class ConfigurationMetadataTest {
    private static final Path METADATA =
            Path.of("src", "main", "resources", "META-INF", "spring-configuration-metadata.json");

    /** With {@code -Dpenstock.docs=write}, the test first writes the metadata file. */
    @Test
    void theMetadataFileMatchesTheTableOfKeys() throws IOException {
        if ("write".equals(System.getProperty("penstock.docs"))) {
            Files.writeString(METADATA, metadata());
        }
        String written = Files.exists(METADATA) ? Files.readString(METADATA) : "";
        assertEquals(
                metadata(),
                written,
                METADATA + " does not match the table of keys; write the file again with"
                        + " mvn -pl container/spring-boot -am test -Dtest=ConfigurationMetadataTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dpenstock.docs=write");
    }

    private static String metadata() {
        List<String> properties = new ArrayList<>();
        for (Key key : Key.values()) {
            if (!PenstockProperties.isOfBoot(key.id())) {
                properties.add(property(key));
            }
        }
        return """
                {
                  "groups": [
                    {"name": "server.penstock", "description": "Keys of the server; see its configuration reference."}
                  ],
                  "properties": [
                %s
                  ]
                }
                """.formatted(String.join(",\n", properties));
    }

    private static String property(Key key) {
        StringBuilder text = new StringBuilder("    {\"name\": \"")
                .append(PenstockProperties.PREFIX)
                .append('.')
                .append(key.id())
                .append("\", \"type\": \"")
                .append(key.type() == ValueType.NUMBER ? "java.lang.Integer" : "java.lang.String")
                .append("\", \"description\": ")
                .append(quoted(description(key)));
        String shown = key.defaultShown();
        if (!key.isMeasured() && !shown.contains("`")) {
            text.append(", \"defaultValue\": ").append(key.type() == ValueType.NUMBER ? shown : quoted(shown));
        }
        return text.append('}').toString();
    }

    /** The description names the properties of other servers, since users of these servers search for them. */
    private static String description(Key key) {
        String meaning = key.meaning().replace("`", "'");
        return key == Key.WORKERS
                ? meaning
                        + ". As server.tomcat.threads.max, server.jetty.threads.max and server.undertow.threads.worker."
                        + " Default: " + key.defaultShown().replace("`", "'")
                : meaning;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
