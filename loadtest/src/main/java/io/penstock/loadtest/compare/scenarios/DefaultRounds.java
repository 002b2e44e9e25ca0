package io.penstock.loadtest.compare.scenarios;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** How many rounds a scenario has if none are asked for, where that is not what most comparisons have. */
abstract class DefaultRounds implements IDefaultValueProvider {
    private final String rounds;

    private DefaultRounds(String rounds) {
        this.rounds = rounds;
    }

    @Override
    public final @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option && option.longestName().equals("--rounds") ? rounds : null;
    }

    /** For scenarios that take long, and whose runs alternate inside. */
    static final class One extends DefaultRounds {
        One() {
            super("1");
        }
    }

    /** For short ones. */
    static final class Five extends DefaultRounds {
        Five() {
            super("5");
        }
    }
}
