package io.penstock.loadtest.compare.rows;

import java.util.Locale;

/**
 * What Penstock is to reach.
 *
 * @param against what the value is measured by
 * @param atLeast whether it is to be so much or more; otherwise so much or less
 */
record Bar(Against against, boolean atLeast, double value) {

    /** What a figure is divided by before it is compared. */
    enum Against {
        /** The best of the other servers in the same rounds. */
        BEST_PEER(" × the best"),
        /** The C epoll loop in the same rounds. */
        EPOLL_LOOP(" × the C loop"),
        /** By nothing: the figure itself counts. */
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

    /** Whether a ratio, or the figure where it is measured by nothing, reaches it. */
    boolean isMetBy(double reached) {
        return atLeast ? reached >= value : reached <= value;
    }

    @Override
    public String toString() {
        String number = value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
        return (atLeast ? "≥ " : "≤ ") + number + against.words;
    }
}
