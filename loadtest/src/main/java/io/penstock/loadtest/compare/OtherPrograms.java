package io.penstock.loadtest.compare;

import io.penstock.loadtest.peers.ProcessorUse;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.function.Supplier;

/**
 * Measures how much of this machine other programs use during a measurement. If other programs use too much, the measurement is disturbed,
 * and is repeated. If the last repetition is disturbed, too, the measurement counts as disturbed.
 *
 * <p>Thread: one thread.
 */
final class OtherPrograms {
    /**
     * If other programs use more than this share of the machine, a run is disturbed. Client and server together use the whole machine if
     * the client sends requests without pauses. In this case a result can change by the share that other programs take. The results of
     * undisturbed runs differ by about a tenth, so the effect of a smaller share could not be distinguished from chance.
     */
    static final double BOUND = 0.1;

    /** One attempt to measure. */
    @FunctionalInterface
    interface Attempt<T> {
        T measure() throws IOException, InterruptedException;
    }

    /** Called if a repetition has failed. The result of the disturbed attempt is used. */
    interface FailedRepetition {
        void onFailed(IOException failed) throws IOException;
    }

    /** A measurement, and the share of this machine that other programs used meanwhile, from 0 to 1; NaN if it is not known. */
    record Watched<T>(T value, double othersUsed) {}

    private final int repeats;
    private final Supplier<Optional<ProcessorUse>> look;
    private int runs;
    private int disturbedRuns;
    private int repeated;
    private double most = Double.NaN;

    /** @param repeats the maximum number of repetitions of a run */
    OtherPrograms(int repeats) {
        this(repeats, ProcessorUse::now);
    }

    /** @param look a function that returns the use of the processors so far; empty if it is not known */
    OtherPrograms(int repeats, Supplier<Optional<ProcessorUse>> look) {
        this.repeats = repeats;
        this.look = look;
    }

    /** Whether other programs used so much of the machine that a run is not reliable. */
    static boolean disturb(double othersUsed) {
        return othersUsed > BOUND;
    }

    /** Writes a share as a percentage, such as {@code 12 %}. */
    static String percent(double part) {
        return String.format(Locale.ROOT, "%.0f %%", part * 100);
    }

    /**
     * Measures once. If other programs disturbed the measurement, measures again, up to the maximum number of repetitions. If a repetition
     * fails, there are no more repetitions. The result is the last attempt that did not fail.
     *
     * @throws IOException if the first attempt has failed
     */
    <T> Watched<T> watch(Attempt<T> attempt, DoubleConsumer disturbed, FailedRepetition repetition)
            throws IOException, InterruptedException {
        Watched<T> last = once(attempt);
        for (int left = repeats; left > 0 && disturb(last.othersUsed()); left--) {
            repeated++;
            disturbed.accept(last.othersUsed());
            try {
                last = once(attempt);
            } catch (IOException failed) {
                repetition.onFailed(failed);
                break;
            }
        }
        runs++;
        disturbedRuns += disturb(last.othersUsed()) ? 1 : 0;
        if (!Double.isNaN(last.othersUsed())) {
            most = Double.isNaN(most) ? last.othersUsed() : Math.max(most, last.othersUsed());
        }
        return last;
    }

    private <T> Watched<T> once(Attempt<T> attempt) throws IOException, InterruptedException {
        Optional<ProcessorUse> before = look.get();
        T value = attempt.measure();
        Optional<ProcessorUse> after = look.get();
        boolean known = before.isPresent() && after.isPresent();
        return new Watched<>(
                value, known ? after.get().othersSince(before.get()).orElse(Double.NaN) : Double.NaN);
    }

    /** A line about disturbances, for the end of a report. */
    String verdict() {
        if (runs == 0 || Double.isNaN(most)) {
            return "Other programs: not watched. If this machine did other things meanwhile, the figures are wrong.";
        }
        String again = repeated == 0 ? "" : " Disturbed runs that were repeated: " + repeated + ".";
        if (disturbedRuns == 0) {
            return "Other programs: they used at most " + percent(most) + " of this machine in each of the " + runs
                    + " runs that count." + again;
        }
        return "DISTURBED: other programs used up to " + percent(most) + " of this machine in " + disturbedRuns + " of "
                + runs + " runs that count (more than " + percent(BOUND)
                + "). The rows that are marked are not to be trusted: measure again when the machine has nothing else"
                + " to do." + again;
    }
}
