package io.penstock.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes annotations of a servlet's class that the {@code <servlet>} element of a descriptor cannot express. */
final class AnnotationText {
    private static final Map<String, String> MEANING = Map.of(
            "jakarta.servlet.annotation.ServletSecurity",
            "for its URL patterns that are in no <security-constraint>",
            "jakarta.annotation.security.RunAs",
            "unless there is a <run-as>",
            "jakarta.annotation.security.DeclareRoles",
            "besides each <security-role>");

    private AnnotationText() {}

    /** Returns one line for each annotation of the class that {@link #MEANING} names, in a fixed order. */
    static List<String> of(ClassFacts facts) {
        List<String> lines = new ArrayList<>();
        new TreeMap<>(MEANING).forEach((type, meaning) -> {
            Map<String, Object> values = facts.declared().get(type);
            if (values != null) {
                lines.add(simple(type) + shown(values) + " of " + facts.name() + ", " + meaning);
            }
        });
        return lines;
    }

    private static String simple(String type) {
        return "@" + type.substring(type.lastIndexOf('.') + 1);
    }

    private static String shown(@Nullable Object value) {
        if (value instanceof Map<?, ?> values) {
            return values.entrySet().stream()
                    .map(entry -> entry.getKey() + " = " + shown(entry.getValue()))
                    .sorted()
                    .collect(Collectors.joining(", ", "(", ")"));
        }
        if (value instanceof List<?> elements) {
            return elements.stream().map(AnnotationText::shown).collect(Collectors.joining(", ", "{", "}"));
        }
        return String.valueOf(value);
    }
}
