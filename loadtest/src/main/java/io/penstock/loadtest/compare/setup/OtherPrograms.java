package io.penstock.loadtest.compare.setup;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.loadtest.peers.ProcessorUse;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Watches how much of this machine other programs use during a measurement, repeats a run that they disturbed, and counts these
 * runs.
 *
 * <p>Thread: {@link #watch} the one that measures, all else any.
 */
public final class OtherPrograms {
    /**
     * If other programs use more than this part of the machine, they disturb a run. In a closed loop client and server use the
     * whole machine, so a figure can change by as much as others take. Undisturbed runs differ by about a tenth; less could not
     * be distinguished from chance.
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
         * Another attempt follows.
         *
         * @param othersUsed as in {@link Watched}
         */
        void onDisturbed(T disturbed, double othersUsed) throws IOException;

        /** The next attempt has failed, so the disturbed one counts. */
        void onFailed(T disturbed, IOException failed) throws IOException;
    }

    /**
     * A measurement, and the use of the machine by others.
     *
     * @param othersUsed the part of this machine that other programs used meanwhile, from 0 to 1; NaN if that is not known
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

    /** @param repeats how often a run is repeated at most */
    public OtherPrograms(int repeats) {
        this(repeats, ProcessorUse::now);
    }

    /**
     * Watches another source than this machine.
     *
     * @param look the use of the processors so far; empty if it is not known
     */
    public OtherPrograms(int repeats, Supplier<Optional<ProcessorUse>> look) {
        this.repeats = repeats;
        this.look = look;
    }

    /** Whether others used so much that a run is not reliable. */
    public static boolean disturb(double othersUsed) {
        return othersUsed > BOUND;
    }

    /** Such as {@code 12 %}. */
    public static String percent(double part) {
        return String.format(Locale.ROOT, "%.0f %%", part * PERCENT);
    }

    /** The reason in a result for a repetition that failed. */
    public static String repetitionFailed(IOException failed) {
        return "the repetition failed, so the disturbed run counts: " + failed.getMessage();
    }

    /**
     * Measures, and repeats the measurement while other programs disturb it and the limit allows. After a failed repetition
     * there is no other one. The last attempt that has not failed counts.
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

    /** Whether one of the figures so far is not reliable. */
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
