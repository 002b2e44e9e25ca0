package io.penstock.loadtest.compare.scenarios;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The default values of options for a scenario. They replace the default values in {@link
 * io.penstock.loadtest.compare.setup.ComparisonOptions}.
 */
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

    /** One round. This is for scenarios that take long and already alternate between runs with and without slow clients within a round. */
    static final class One extends OtherDefaults {
        One() {
            super(Map.of(ROUNDS, "1"));
        }
    }

    /** One round, and a small heap. In this heap there is no room for thousands of request bodies and responses. */
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
