package io.penstock.loadtest.compare.rows;

import java.util.Locale;
import java.util.Optional;

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
        EPOLL_LOOP(" × the C loop", Optional.of(Contender.LOOP)),
        /** The same Penstock with access log, metrics and admin port, in the same rounds. */
        ALL_ON(" × with all on", Optional.of(Contender.ALL_ON)),
        /** Nothing: the figure itself must meet the bar. */
        NOTHING("");

        private final String words;
        private final Optional<String> contender;

        Against(String words) {
            this(words, Optional.empty());
        }

        Against(String words, Optional<String> contender) {
            this.words = words;
            this.contender = contender;
        }

        /** The contender that the bar needs in addition to the servers. */
        Optional<String> contender() {
            return contender;
        }
    }

    static Bar timesTheBest(double ratio) {
        return new Bar(Against.BEST_PEER, true, ratio);
    }

    static Bar timesTheBestAtMost(double ratio) {
        return new Bar(Against.BEST_PEER, false, ratio);
    }

    static Bar timesTheLoopAtMost(double ratio) {
        return new Bar(Against.EPOLL_LOOP, false, ratio);
    }

    static Bar timesWithAllOnAtMost(double ratio) {
        return new Bar(Against.ALL_ON, false, ratio);
    }

    static Bar atMost(double value) {
        return new Bar(Against.NOTHING, false, value);
    }

    static Bar atLeast(double value) {
        return new Bar(Against.NOTHING, true, value);
    }

    /** No bar: the figure is only shown. A low figure is better. */
    static Bar none() {
        return timesTheBestAtMost(Double.POSITIVE_INFINITY);
    }

    boolean isNone() {
        return Double.isInfinite(value);
    }

    /** Whether a ratio, or the figure itself if the bar has no ratio, meets the bar. */
    boolean isMetBy(double reached) {
        return atLeast ? reached >= value : reached <= value;
    }

    @Override
    public String toString() {
        if (isNone()) {
            return "";
        }
        String number = value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
        return (atLeast ? "≥ " : "≤ ") + number + against.words;
    }
}
