package io.penstock.websocket;

import jakarta.websocket.DecodeException;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Conversions between texts and primitive types or their classes (WebSocket 2.2 sections 4.3 and 4.7), for messages and path parameters.
 * Thread: any.
 */
final class Conversion {
    private static final Map<Class<?>, Function<String, Object>> PARSERS = Map.of(
            Boolean.class, Boolean::valueOf,
            Byte.class, Byte::valueOf,
            Short.class, Short::valueOf,
            Integer.class, Integer::valueOf,
            Long.class, Long::valueOf,
            Float.class, Float::valueOf,
            Double.class, Double::valueOf,
            Character.class, Conversion::character);

    private static final Map<Class<?>, Class<?>> BOXES = Map.of(
            boolean.class, Boolean.class,
            byte.class, Byte.class,
            short.class, Short.class,
            int.class, Integer.class,
            long.class, Long.class,
            float.class, Float.class,
            double.class, Double.class,
            char.class, Character.class);

    private Conversion() {}

    /** The class of a primitive type; another type itself. */
    static Class<?> boxed(Class<?> type) {
        Class<?> box = BOXES.get(type);
        return box == null ? type : box;
    }

    /** Whether {@code type} is a primitive type except {@code void}, or the class of one. */
    static boolean isPrimitive(Class<?> type) {
        return PARSERS.containsKey(boxed(type));
    }

    /**
     * Converts a text.
     *
     * @param type {@code String}, or a type that {@link #isPrimitive}
     * @throws DecodeException if the text is no value of this type
     */
    static @Nullable Object parse(@Nullable String text, Class<?> type) throws DecodeException {
        if (type == String.class || (text == null && !type.isPrimitive())) {
            return text;
        }
        Function<String, Object> parser = PARSERS.get(boxed(type));
        try {
            if (text != null && parser != null) {
                return parser.apply(text);
            }
        } catch (IllegalArgumentException e) {
            throw new DecodeException(text, "Not a value of the type " + type.getName(), e);
        }
        throw new DecodeException(text, "There is no value for the type " + type.getName());
    }

    private static Character character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("One character is expected");
        }
        return text.charAt(0);
    }
}
