package io.penstock.loadtest.starve;

/**
 * Finds the smallest number that has a certain effect. First the number is doubled until the effect appears. After that, numbers in the
 * middle between the largest number without the effect and the smallest number with the effect are tried (binary search). If the first
 * number does not have the effect, no tried number is larger than twice the result.
 *
 * <p>Thread: one thread.
 */
final class Threshold {
    private final int first;
    private final int most;
    private int without;
    private int with = Integer.MAX_VALUE;

    /**
     * @param first the number to begin with
     * @param most the largest number that is tried
     */
    Threshold(int first, int most) {
        this.first = Math.min(first, most);
        this.most = most;
    }

    /** The next number to try; 0 if the search is complete. */
    int next() {
        if (isFound()) {
            return with - without == 1 ? 0 : without + (with - without) / 2;
        }
        if (without == most) {
            return 0;
        }
        return without == 0 ? first : (int) Math.min(most, 2L * without);
    }

    /** Records whether a number from {@link #next} had the effect. */
    void tried(int number, boolean effect) {
        if (effect) {
            with = Math.min(with, number);
        } else {
            without = Math.max(without, number);
        }
    }

    /** Whether at least one number had the effect. */
    boolean isFound() {
        return with != Integer.MAX_VALUE;
    }

    /** The smallest tried number with the effect. Call this only if {@link #isFound} is true. */
    int with() {
        return with;
    }

    /** The largest tried number without the effect; 0 if every tried number had the effect. */
    int without() {
        return without;
    }
}
