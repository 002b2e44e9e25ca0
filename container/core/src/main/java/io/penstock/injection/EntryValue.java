package io.penstock.injection;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the text of an environment entry to the entry's type (Jakarta EE 5.4). */
public final class EntryValue {
    private static final Map<Class<?>, Class<?>> BOXED = Map.ofEntries(
            Map.entry(boolean.class, Boolean.class),
            Map.entry(byte.class, Byte.class),
            Map.entry(char.class, Character.class),
            Map.entry(short.class, Short.class),
            Map.entry(int.class, Integer.class),
            Map.entry(long.class, Long.class),
            Map.entry(float.class, Float.class),
            Map.entry(double.class, Double.class));

    private EntryValue() {}

    /** The type of an entry for a field of this type: primitive types have their classes. */
    public static Class<?> boxed(Class<?> type) {
        return BOXED.getOrDefault(type, type);
    }

    /**
     * Converts a text.
     *
     * @param loader finds the class that a text of the type {@code Class} names
     * @throws IllegalArgumentException if the text is not a value of the type. The message follows the name of the value in a sentence
     */
    public static Object of(String text, Class<?> type, @Nullable ClassLoader loader) {
        try {
            if (type == String.class || type == Object.class) {
                return text;
            } else if (type == Boolean.class) {
                // The text "true" in any letter case means true. Every other text means false (Jakarta EE 5.4.1.3).
                return Boolean.valueOf(text);
            } else if (type == Byte.class) {
                return Byte.valueOf(text);
            } else if (type == Short.class) {
                return Short.valueOf(text);
            } else if (type == Integer.class) {
                return Integer.valueOf(text);
            } else if (type == Long.class) {
                return Long.valueOf(text);
            } else if (type == Float.class) {
                return Float.valueOf(text);
            } else if (type == Double.class) {
                return Double.valueOf(text);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is not a " + type.getName() + ": '" + text + "'", e);
        }
        return ofOtherKind(text, type, loader);
    }

    private static Object ofOtherKind(String text, Class<?> type, @Nullable ClassLoader loader) {
        if (type == Character.class) {
            if (text.length() != 1) {
                throw new IllegalArgumentException("is not one character: '" + text + "'");
            }
            return text.charAt(0);
        }
        if (type == Class.class) {
            try {
                return Class.forName(text, false, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                throw new IllegalArgumentException("names a class that cannot be loaded: " + text, e);
            }
        }
        if (type.isEnum()) {
            for (Object constant : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(text)) {
                    return constant;
                }
            }
            throw new IllegalArgumentException("is not a constant of " + type.getName() + ": '" + text + "'");
        }
        throw new IllegalArgumentException("cannot be of the type " + type.getName());
    }
}
