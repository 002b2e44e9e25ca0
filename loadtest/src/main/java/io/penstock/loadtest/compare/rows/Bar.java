package io.penstock.loadtest.compare.rows;

import java.util.Locale;

/**
 * The bar of a row: the value that Penstock should reach.
 *
 * @param against the value to which it is compared
 * @param atLeast whether the bar is a minimum; otherwise it is a maximum
 */
record Bar(Against against, boolean atLeast, double value) {

    /** The value by which a figure is divided before it is compared. */
    enum Against {
        /** The best of the other servers in the same rounds. */
        BEST_PEER(" × the best"),
        /** The C epoll loop in the same rounds. */
        EPOLL_LOOP(" × the C loop"),
        /** None: the figure itself counts. */
        NOTHING("");

        private final String words;

        Against(String words) {
            this.words = words;
        }
    }

    static Bar timesTheBest(double ratio) {
        return new Bar(Against.BEST_PEER, true, ratio);
    }

    static Bar timesTheLoopAtMost(double ratio) {
        return new Bar(Against.EPOLL_LOOP, false, ratio);
    }

    static Bar atMost(double value) {
        return new Bar(Against.NOTHING, false, value);
    }

    static Bar atLeast(double value) {
        return new Bar(Against.NOTHING, true, value);
    }

    /** Whether a ratio, or the figure itself if the bar has no ratio, meets the bar. */
    boolean isMetBy(double reached) {
        return atLeast ? reached >= value : reached <= value;
    }

    @Override
    public String toString() {
        String number = value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
        return (atLeast ? "≥ " : "≤ ") + number + against.words;
    }
}
