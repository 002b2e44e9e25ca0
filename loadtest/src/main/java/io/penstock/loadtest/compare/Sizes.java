package io.penstock.loadtest.compare;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The sizes of one run of a comparison.
 *
 * @param table the sizes that the comparison has
 * @param smoke whether this is a smoke test, with small sizes
 * @param given the values that the user has given, by option
 */
record Sizes(List<Size<?>> table, boolean smoke, Map<String, Object> given) {
    /** The most connections that a job without a size of its own has in a smoke test. */
    private static final int SMOKE_CONNECTIONS = 8;

    /** @throws IllegalArgumentException if a value is too small */
    Sizes {
        table = List.copyOf(table);
        given = Map.copyOf(given);
        for (Size<?> size : table) {
            Object value = given.get(size.option());
            if (value != null) {
                size.checked(value);
            }
        }
    }

    <T extends Comparable<T>> T of(Size<T> size) {
        Object value = given.get(size.option());
        return value == null ? (smoke ? size.small() : size.full()) : size.checked(value);
    }

    Duration duration() {
        return named("--duration", Duration.class);
    }

    Duration warmUp() {
        return named("--warm-up", Duration.class);
    }

    int rounds() {
        return named("--rounds", Integer.class);
    }

    private <T> T named(String option, Class<T> type) {
        Size<?> size = table.stream()
                .filter(candidate -> candidate.option().equals(option))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The comparison has no size " + option));
        return type.cast(of(size));
    }

    /** The number of connections, or a smaller number for a smoke test. */
    int connections(int full) {
        return smoke ? Math.min(full, SMOKE_CONNECTIONS) : full;
    }

    /** All sizes, as on the command line. */
    String inWords() {
        return table.stream()
                .map(size -> size.option() + " " + Size.written(of(size)))
                .collect(Collectors.joining(" "));
    }
}
