package io.penstock.loadtest.starve;

/**
 * Finds the smallest number that has an effect. It doubles the number until the effect appears, then halves the distance between
 * the largest number without the effect and the smallest with it. So it never tries more than twice the result.
 *
 * <p>Thread: one.
 */
final class Threshold {
    private final int first;
    private final int most;
    private int without;
    private int with = Integer.MAX_VALUE;

    /**
     * @param first the number to begin with
     * @param most the largest number that may be tried
     */
    Threshold(int first, int most) {
        this.first = Math.min(first, most);
        this.most = most;
    }

    /** The next number to try; 0 if there is none. */
    int next() {
        if (isFound()) {
            return with - without == 1 ? 0 : without + (with - without) / 2;
        }
        if (without == most) {
            return 0;
        }
        return without == 0 ? first : (int) Math.min(most, 2L * without);
    }

    /** The outcome of a try of {@link #next}. */
    void tried(int number, boolean effect) {
        if (effect) {
            with = Math.min(with, number);
        } else {
            without = Math.max(without, number);
        }
    }

    /** Whether some number had the effect. */
    boolean isFound() {
        return with != Integer.MAX_VALUE;
    }

    /** The smallest number with the effect, if there is one. */
    int with() {
        return with;
    }

    /** The largest number without the effect; 0 if each tried number had it. */
    int without() {
        return without;
    }
}
