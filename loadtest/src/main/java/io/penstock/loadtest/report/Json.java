package io.penstock.loadtest.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes and reads results as JSON. Records, maps, lists, strings and numbers have their usual form. A {@link Duration} is written as
 * seconds with a fraction, an {@link Instant} as ISO 8601, a {@link Table} as an array of its rows, and NaN as null.
 */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .registerModule(new SimpleModule()
                    .addSerializer(
                            new Writer<>(Duration.class, (duration, out) -> out.writeNumber(duration.toNanos() / 1e9)))
                    .addSerializer(new Writer<>(Instant.class, (instant, out) -> out.writeString(instant.toString())))
                    .addSerializer(new Writer<>(Double.class, Json::writeNumber))
                    .addSerializer(new Writer<>(Double.TYPE, Json::writeNumber))
                    .addSerializer(new Writer<>(Table.class, (table, out) -> out.writePOJO(table.records()))));

    private Json() {}

    /** The value as indented JSON, with a line end after it. */
    public static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value) + "\n";
        } catch (JsonProcessingException unwritable) {
            throw new IllegalArgumentException("Cannot be written as JSON: " + value.getClass(), unwritable);
        }
    }

    /** Writes {@link #text} into a file. */
    public static void save(Path file, Object value) throws IOException {
        WholeFile.write(file, text(value));
    }

    public static JsonNode read(Path file) throws IOException {
        return MAPPER.readTree(Files.readString(file));
    }

    /**
     * Reads an object that is a value of a saved object.
     *
     * @throws IOException if the file cannot be read, or has no such object
     */
    public static <T> T read(Path file, String key, Class<T> type) throws IOException {
        JsonNode saved = read(file).path(key);
        if (!saved.isObject()) {
            throw new IOException(file + " has no object " + key);
        }
        return MAPPER.treeToValue(saved, type);
    }

    private static void writeNumber(Double number, JsonGenerator out) throws IOException {
        if (number.isNaN()) {
            out.writeNull();
        } else {
            out.writeNumber(number);
        }
    }

    private interface Writing<T> {
        void write(T value, JsonGenerator out) throws IOException;
    }

    private static final class Writer<T> extends StdSerializer<T> {
        private final transient Writing<T> writing;

        Writer(Class<T> type, Writing<T> writing) {
            super(type);
            this.writing = writing;
        }

        @Override
        public void serialize(T value, JsonGenerator out, SerializerProvider provider) throws IOException {
            writing.write(value, out);
        }
    }
}
