package io.penstock.store;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Runs random histories. {@code -Dpenstock.histories=100000} runs so many; {@code -Dpenstock.histories.seed=} draws those of a failure again.
 */
public final class RandomHistories {
    private RandomHistories() {}

    /** A history that has been drawn, and checks itself as it runs. */
    public interface History {
        void run() throws IOException;

        /** What has happened in it so far. */
        List<String> steps();
    }

    /**
     * Runs as many histories as the build or the command says.
     *
     * @param of what the histories are of, for the message of a failure
     */
    public static void run(int byDefault, String of, Function<SplittableRandom, History> draw) {
        int histories = Integer.getInteger("penstock.histories", byDefault);
        long seed = Long.getLong("penstock.histories.seed", new SplittableRandom().nextLong());
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < histories; i++) {
            History history = draw.apply(seeds.split());
            try {
                history.run();
            } catch (AssertionError | IOException | RuntimeException e) {
                throw new AssertionError(
                        "history " + i + " of -Dpenstock.histories.seed=" + seed + " with " + of + ":\n"
                                + String.join("\n", history.steps()),
                        e);
            }
        }
    }
}
