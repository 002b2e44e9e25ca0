package io.penstock.loadtest.client;

import java.util.List;
import java.util.Optional;

/** The field lines of a request or response, in their order (RFC 9110, section 5). Names are compared without regard to case. */
public record Fields(List<Field> lines) {
    public static final Fields NONE = new Fields(List.of());

    /** One field line. */
    public record Field(String name, String value) {}

    public Fields {
        lines = List.copyOf(lines);
    }

    /** The value of the first field with this name. */
    public Optional<String> first(String name) {
        return all(name).stream().findFirst();
    }

    /** The values of all fields with this name. */
    public List<String> all(String name) {
        return lines.stream()
                .filter(line -> line.name().equalsIgnoreCase(name))
                .map(Field::value)
                .toList();
    }

    boolean has(String name) {
        return lines.stream().anyMatch(line -> line.name().equalsIgnoreCase(name));
    }
}
