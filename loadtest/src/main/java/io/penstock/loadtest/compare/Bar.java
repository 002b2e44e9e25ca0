package io.penstock.loadtest.compare;

import java.util.Locale;
import java.util.Optional;

/**
 * The bar of a {@link Work.Row}: the target for Penstock's figure, or for its ratio to another figure.
 *
 * @param against the value by which Penstock's figure is divided before it is compared with the bar
 * @param atLeast whether the bar is a minimum; otherwise it is a maximum
 */
record Bar(Against against, boolean atLeast, double value) {
    /** The value by which Penstock's figure is divided before it is compared with the bar. */
    enum Against {
        /** The figure of the best other server in the same rounds. */
        BEST_PEER(" × the best", ""),
        /** The figure of the C epoll loop in the same rounds; see {@link Contender#LOOP}. */
        EPOLL_LOOP(" × the C loop", Contender.LOOP),
        /** The figure of the same Penstock with access log, metrics and admin port, in the same rounds. */
        ALL_ON(" × with all on", Contender.ALL_ON),
        /** No value: the figure itself is compared with the bar. */
        NOTHING("", "");

        private final String words;
        private final String contender;

        Against(String words, String contender) {
            this.words = words;
            this.contender = contender;
        }

        /** The contender that the bar needs in addition to the servers. */
        Optional<String> contender() {
            return Optional.of(contender).filter(id -> !id.isEmpty());
        }
    }

    static Bar timesTheBest(double ratio) {
        return new Bar(Against.BEST_PEER, true, ratio);
    }

    static Bar timesTheBestAtMost(double ratio) {
        return new Bar(Against.BEST_PEER, false, ratio);
    }

    static Bar atMost(double value) {
        return new Bar(Against.NOTHING, false, value);
    }

    static Bar atLeast(double value) {
        return new Bar(Against.NOTHING, true, value);
    }

    /** Returns a value for rows without a bar. Such a row only shows its figure. */
    static Bar none() {
        return timesTheBestAtMost(Double.POSITIVE_INFINITY);
    }

    boolean isNone() {
        return Double.isInfinite(value);
    }

    /** Whether the ratio meets the bar. If the bar is {@link Against#NOTHING against nothing}, {@code reached} is the figure itself. */
    boolean isMetBy(double reached) {
        return atLeast ? reached >= value : reached <= value;
    }

    @Override
    public String toString() {
        String number = value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
        return isNone() ? "" : (atLeast ? "≥ " : "≤ ") + number + against.words;
    }
}
