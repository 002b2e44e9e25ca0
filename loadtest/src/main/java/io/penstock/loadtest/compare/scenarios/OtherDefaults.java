package io.penstock.loadtest.compare.scenarios;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The defaults of a scenario that differ from those of most comparisons. */
abstract class OtherDefaults implements IDefaultValueProvider {
    private static final String ROUNDS = "--rounds";
    private static final String HEAP = "--heap";

    private final Map<String, String> values;

    private OtherDefaults(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    @Override
    public final @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option ? values.get(option.longestName()) : null;
    }

    /** One round, for scenarios that take long and alternate within a round. */
    static final class One extends OtherDefaults {
        One() {
            super(Map.of(ROUNDS, "1"));
        }
    }

    /** One round, and a heap without room for thousands of bodies and responses. */
    static final class OneInSmallHeap extends OtherDefaults {
        OneInSmallHeap() {
            super(Map.of(ROUNDS, "1", HEAP, "256m"));
        }
    }

    /** Five rounds, for short scenarios. */
    static final class Five extends OtherDefaults {
        Five() {
            super(Map.of(ROUNDS, "5"));
        }
    }
}
