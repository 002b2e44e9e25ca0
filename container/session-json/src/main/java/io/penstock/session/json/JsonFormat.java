package io.penstock.session.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.part.AttributeFormat;
import java.io.IOException;
import java.util.ConcurrentModificationException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.json.JsonMapper;

/**
 * Attributes as JSON in UTF-8. As in Java's serialization, the fields of an object are written, and not the results of its getters.
 * Transient fields are omitted. If the declared type does not determine the class of an object, the name of the class is written, too. Only
 * objects of trusted classes can be read.
 *
 * <p>A class must be a record, or must have a constructor without parameters. The constructor can be private. Objects with direct or
 * indirect references to themselves cannot be written. The order of fields and of map keys is fixed. So equal values have equal bytes.
 *
 * <p>Thread: any.
 */
final class JsonFormat implements AttributeFormat {
    private final JsonMapper mapper;
    private final ObjectWriter writer;

    JsonFormat(Types types) {
        TrustedSubtypes trusted = new TrustedSubtypes(types);
        MapperBuilder<JsonMapper, JsonMapper.Builder> builder = JsonMapper.builder()
                .typeFactory(new TrustedTypeFactory(types))
                .polymorphicTypeValidator(trusted)
                .activateDefaultTyping(trusted, DefaultTyping.NON_FINAL, JsonTypeInfo.As.WRAPPER_ARRAY)
                .changeDefaultVisibility(all -> all.with(JsonAutoDetect.Visibility.NONE)
                        .withFieldVisibility(JsonAutoDetect.Visibility.ANY)
                        .withCreatorVisibility(JsonAutoDetect.Visibility.ANY))
                .enable(MapperFeature.PROPAGATE_TRANSIENT_MARKER)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        mapper = builder.build();
        writer = mapper.writerFor(Object.class);
    }

    @Override
    public byte[] write(Object value) throws IOException {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JacksonException e) {
            if (e.getCause() instanceof ConcurrentModificationException disturbed) {
                throw disturbed;
            }
            throw new IOException(e.getOriginalMessage(), e);
        }
    }

    @Override
    public Object read(byte[] bytes) throws IOException {
        try {
            Object value = mapper.readValue(bytes, Object.class);
            if (value == null) {
                throw new IOException("null cannot be an attribute");
            }
            return value;
        } catch (JacksonException e) {
            throw new IOException(e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            // Jackson throws this exception for a malformed name of a generic type, and for an unknown class in it.
            throw new IOException(e.getMessage(), e);
        }
    }
}
