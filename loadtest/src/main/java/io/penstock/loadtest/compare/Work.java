package io.penstock.loadtest.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A work: an entry of the table of a comparison.
 *
 * @param id the name of the work on the command line and in files
 * @param title the description of the work in a table
 * @param job what a server and its clients do
 * @param rows the figures that the table with targets has for this work
 */
record Work(String id, String title, Job job, List<Row> rows) {
    /** A row of the table with targets: one figure of the work, and its {@link Bar}. */
    record Row(String work, Figure figure, Bar bar) {}

    Work {
        rows = List.copyOf(rows);
    }

    static Work of(String id, String title, Job job) {
        return new Work(id, title, job, List.of());
    }

    Work row(Figure figure, Bar bar) {
        List<Row> more = new ArrayList<>(rows);
        more.add(new Row(id, figure, bar));
        return new Work(id, title, job, more);
    }

    /** Returns the same work with a row without a bar for each of these figures. */
    Work show(Figure... figures) {
        Work work = this;
        for (Figure figure : figures) {
            work = work.row(figure, Bar.none());
        }
        return work;
    }

    /** The contenders that the bars need in addition to the servers. */
    List<String> extra() {
        return rows.stream()
                .flatMap(row -> row.bar().against().contender().stream())
                .distinct()
                .toList();
    }

    /**
     * The bar of a {@link Work.Row}: the target for Penstock's figure, or for its ratio to another figure.
     *
     * @param against the value by which Penstock's figure is divided before it is compared with the bar
     * @param atLeast whether the bar is a minimum; otherwise it is a maximum
     */
    record Bar(Against against, boolean atLeast, double value) {
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
            String number =
                    value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
            return isNone() ? "" : (atLeast ? "≥ " : "≤ ") + number + against.words;
        }
    }
}
