package io.penstock.loadtest.compare.setup;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.loadtest.peers.ProcessorUse;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Measures how much of this machine other programs use during a measurement. If other programs use too much, the measurement is disturbed,
 * and is repeated. If the last repetition is disturbed, too, the measurement counts as disturbed.
 *
 * <p>Thread: the measuring thread for {@link #watch}; any thread for all other methods.
 */
public final class OtherPrograms {
    /**
     * If other programs use more than this share of the machine, a run is disturbed. Client and server together use the whole machine if
     * the client sends requests without pauses. In this case a result can change by the share that other programs take. The results of
     * undisturbed runs differ by about a tenth, so the effect of a smaller share could not be distinguished from chance.
     */
    public static final double BOUND = 0.1;

    private static final double PERCENT = 100;

    /** One attempt to measure. */
    @FunctionalInterface
    public interface Attempt<T> {
        T measure() throws IOException, InterruptedException;
    }

    /** Called for each disturbed attempt. */
    public interface Repetition<T> {
        /**
         * Called when an attempt was disturbed and another attempt follows.
         *
         * @param othersUsed the share of the machine that other programs used; see {@link Watched}
         */
        void onDisturbed(T disturbed, double othersUsed) throws IOException;

        /** Called when the next attempt has failed. The result of the disturbed attempt is used. */
        void onFailed(T disturbed, IOException failed) throws IOException;
    }

    /**
     * A measurement, and the use of the machine by other programs.
     *
     * @param othersUsed the share of this machine that other programs used during the measurement, from 0 to 1; NaN if it is not known
     */
    public record Watched<T>(T value, double othersUsed) {}

    private final int repeats;
    private final Supplier<Optional<ProcessorUse>> look;

    @GuardedBy("this")
    private int runs;

    @GuardedBy("this")
    private int disturbed;

    @GuardedBy("this")
    private int repeated;

    @GuardedBy("this")
    private double most = Double.NaN;

    /** @param repeats the maximum number of repetitions of a run */
    public OtherPrograms(int repeats) {
        this(repeats, ProcessorUse::now);
    }

    /**
     * Creates an object that does not read the use of this machine's processors, but gets it from {@code look}.
     *
     * @param look a function that returns the use of the processors so far; empty if it is not known
     */
    public OtherPrograms(int repeats, Supplier<Optional<ProcessorUse>> look) {
        this.repeats = repeats;
        this.look = look;
    }

    /** Whether other programs used so much of the machine that a run is not reliable. */
    public static boolean disturb(double othersUsed) {
        return othersUsed > BOUND;
    }

    /** Writes a share as a percentage, such as {@code 12 %}. */
    public static String percent(double part) {
        return String.format(Locale.ROOT, "%.0f %%", part * PERCENT);
    }

    /** The text in the results for a repetition that failed. */
    public static String repetitionFailed(IOException failed) {
        return "the repetition failed, so the disturbed run counts: " + failed.getMessage();
    }

    /**
     * Measures once. If other programs disturbed the measurement, measures again, up to the maximum number of repetitions. If a repetition
     * fails, there are no more repetitions. The result is the last attempt that did not fail.
     *
     * @throws IOException if the first attempt has failed
     */
    public <T> Watched<T> watch(Attempt<T> attempt, Repetition<T> repetition) throws IOException, InterruptedException {
        Watched<T> last = once(attempt);
        for (int left = repeats; left > 0 && disturb(last.othersUsed()); left--) {
            countRepetition();
            repetition.onDisturbed(last.value(), last.othersUsed());
            try {
                last = once(attempt);
            } catch (IOException failed) {
                repetition.onFailed(last.value(), failed);
                break;
            }
        }
        keep(last.othersUsed());
        return last;
    }

    private <T> Watched<T> once(Attempt<T> attempt) throws IOException, InterruptedException {
        Optional<ProcessorUse> before = look.get();
        T value = attempt.measure();
        return new Watched<>(value, used(before, look.get()));
    }

    private static double used(Optional<ProcessorUse> before, Optional<ProcessorUse> after) {
        if (before.isEmpty() || after.isEmpty()) {
            return Double.NaN;
        }
        OptionalDouble used = after.get().othersSince(before.get());
        return used.orElse(Double.NaN);
    }

    private synchronized void keep(double used) {
        runs++;
        if (disturb(used)) {
            disturbed++;
        }
        if (!Double.isNaN(used)) {
            most = Double.isNaN(most) ? used : Math.max(most, used);
        }
    }

    private synchronized void countRepetition() {
        repeated++;
    }

    /** Whether at least one of the measurements so far was disturbed. */
    public synchronized boolean haveDisturbed() {
        return disturbed > 0;
    }

    /** A line about disturbances, for the end of a report. */
    public synchronized String verdict() {
        if (runs == 0) {
            return "Other programs: nothing has been measured.";
        }
        if (Double.isNaN(most)) {
            return "Other programs: not watched, since there is no /proc that tells what they use. If this machine did"
                    + " other things meanwhile, the figures are wrong.";
        }
        String again = repeated == 0 ? "" : " Disturbed runs that were repeated: " + repeated + ".";
        if (disturbed == 0) {
            return "Other programs: they used at most " + percent(most) + " of this machine in each of the " + runs
                    + " runs that count." + again;
        }
        return "DISTURBED: other programs used up to " + percent(most) + " of this machine in " + disturbed + " of "
                + runs
                + " runs that count (more than " + percent(BOUND)
                + "). The rows that are marked are not to be trusted: measure again when the machine has nothing else"
                + " to do."
                + again;
    }
}
