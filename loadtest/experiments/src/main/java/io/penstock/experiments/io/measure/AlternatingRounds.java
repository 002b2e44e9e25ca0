package io.penstock.experiments.io.measure;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Several ways of doing one thing. Each is measured once in every round, so that a slow phase of the machine affects all of them.
 * The first round is not counted: it warms up the code and the page cache.
 *
 * <p>A way that fails is left out of later rounds, and its first cause is kept. The other ways continue.
 *
 * <p>Thread: the experiment's.
 */
public final class AlternatingRounds {
    /** One way, and the code for its turn. */
    public record Way(String label, Turn turn) {}

    /** Takes one turn, and returns its measurement. */
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

    /** The measurements remain in {@link #measured()}, even if this method throws. */
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

    /** By label, in the order of the ways, without those that have completed no turn. */
    public Map<String, Samples> measured() {
        return measured;
    }

    /** Why ways were left out, by label. */
    public Map<String, IOException> failures() {
        return failures;
    }
}
