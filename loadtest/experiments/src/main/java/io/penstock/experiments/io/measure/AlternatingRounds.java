package io.penstock.experiments.io.measure;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures several ways of doing the same thing in rounds. In every round, each way is measured once, so that a slow phase of the machine
 * affects all ways. The first rounds can be warm-ups, which are not counted: they warm up the code and the page cache.
 *
 * <p>If a way fails, it is left out of later rounds, and the reason is kept. The other ways continue.
 *
 * <p>Thread: the thread of the experiment.
 */
public final class AlternatingRounds {
    /** One way, and the code that measures it once. */
    public record Way(String label, Turn turn) {}

    /** Measures a way once, and returns the result. */
    @FunctionalInterface
    public interface Turn {
        double take() throws IOException, InterruptedException;
    }

    private final List<Way> ways;
    private final String unit;
    private final Consumer<String> progress;
    private final Map<String, Samples> measured = new LinkedHashMap<>();
    private final Map<String, IOException> failures = new LinkedHashMap<>();

    public AlternatingRounds(List<Way> ways, String unit, Consumer<String> progress) {
        this.ways = List.copyOf(ways);
        this.unit = unit;
        this.progress = progress;
    }

    /** Runs all rounds. The results are in {@link #measured()}, even if this method throws an exception. */
    public void run(int warmUps, int rounds) throws InterruptedException {
        for (int round = 1 - warmUps; round <= rounds; round++) {
            for (Way way : ways) {
                if (!failures.containsKey(way.label())) {
                    takeTurn(way, round, rounds);
                }
            }
        }
    }

    private void takeTurn(Way way, int round, int rounds) throws InterruptedException {
        double value;
        try {
            value = way.turn().take();
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw interrupted(e);
            }
            failures.put(way.label(), e);
            progress.accept(way.label() + ": " + e.getMessage());
            return;
        }
        String which = round < 1 ? "warm-up" : String.format(Locale.ROOT, "round %d of %d", round, rounds);
        progress.accept(String.format(Locale.ROOT, "%-14s %-36s %,12.1f %s", which, way.label(), value, unit));
        if (round > 0) {
            measured.computeIfAbsent(way.label(), label -> new Samples()).add(value);
        }
    }

    private static InterruptedException interrupted(IOException closedByIt) {
        InterruptedException interrupted = new InterruptedException("told to end");
        interrupted.initCause(closedByIt);
        return interrupted;
    }

    /** Maps the label of each way to its results. Ways without a result are left out. */
    public Map<String, Samples> measured() {
        return measured;
    }

    /** Maps the label of each way that has failed to the reason. */
    public Map<String, IOException> failures() {
        return failures;
    }
}
