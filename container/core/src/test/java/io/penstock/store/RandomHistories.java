package io.penstock.store;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Runs random histories: sequences of random steps. {@code -Dpenstock.histories=100000} sets the number of histories. {@code
 * -Dpenstock.histories.seed=} with the seed from a failure message runs the same histories again.
 */
public final class RandomHistories {
    private RandomHistories() {}

    /** A random history that checks its results while it runs. */
    public interface History {
        void run() throws IOException;

        /** The steps of the history so far. */
        List<String> steps();
    }

    /**
     * Runs {@code byDefault} histories, or the number in the system property {@code penstock.histories}.
     *
     * @param tested the name of the tested object; the message of a failure contains this name
     */
    public static void run(int byDefault, String tested, Function<SplittableRandom, History> draw) {
        int histories = Integer.getInteger("penstock.histories", byDefault);
        long seed = Long.getLong("penstock.histories.seed", new SplittableRandom().nextLong());
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < histories; i++) {
            History history = draw.apply(seeds.split());
            try {
                history.run();
            } catch (AssertionError | IOException | RuntimeException e) {
                throw new AssertionError(
                        "history " + i + " of -Dpenstock.histories.seed=" + seed + " with " + tested + ":\n"
                                + String.join("\n", history.steps()),
                        e);
            }
        }
    }
}
