package io.penstock.context;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks arguments for which the specification requires an {@link IllegalArgumentException}. */
final class Arguments {
    private Arguments() {}

    static <T> T required(@Nullable T value, String name) {
        if (value == null) {
            throw new IllegalArgumentException(name + " must not be null");
        }
        return value;
    }

    static String requiredName(@Nullable String value, String name) {
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(name + " must not be null or empty");
        }
        return value;
    }

    static List<String> requiredItems(String @Nullable [] values, String name) {
        if (values == null || values.length == 0) {
            throw new IllegalArgumentException(name + " must not be null or empty");
        }
        for (String value : values) {
            required(value, name);
        }
        return List.copyOf(Arrays.asList(values));
    }

    static Map<String, String> requiredEntries(@Nullable Map<String, String> values) {
        Map<String, String> checked = new LinkedHashMap<>();
        required(values, "init parameters")
                .forEach((name, value) ->
                        checked.put(required(name, "init parameter name"), required(value, "init parameter value")));
        return checked;
    }
}
