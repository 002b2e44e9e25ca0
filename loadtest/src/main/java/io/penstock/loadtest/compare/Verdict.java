package io.penstock.loadtest.compare;

import io.penstock.loadtest.compare.Work.Bar;
import io.penstock.loadtest.report.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of Penstock in one {@link Work.Row}.
 *
 * @param ratio Penstock's figure divided by the figure of the {@linkplain Bar.Against#contender contender} in the bar. If the bar has no
 *     contender, the figure of the best other server is used. Empty if there is no ratio
 * @param outcome whether the bar is met
 */
record Verdict(OptionalDouble ratio, Outcome outcome) {

    enum Outcome {
        MET,
        MISSED,
        /** The figure of Penstock, or the figure to compare it with, has not been measured. */
        OPEN,
        NONE;

        @Override
        public String toString() {
            return this == NONE ? "" : name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param ours the server whose result is determined
     * @param peers the servers with which {@code ours} is compared
     */
    static Verdict of(Work.Row row, Results results, Optional<String> ours, List<String> peers) {
        if (ours.isEmpty()) {
            return new Verdict(OptionalDouble.empty(), Outcome.OPEN);
        }
        SortedMap<Integer, Double> values = results.byRound(ours.get(), row.work(), row.figure());
        Optional<String> reference = reference(row, results, peers);
        OptionalDouble ratio = reference
                .map(server -> ratio(values, results.byRound(server, row.work(), row.figure())))
                .orElse(OptionalDouble.empty());
        OptionalDouble reached = row.bar().against() == Bar.Against.NOTHING ? median(values) : ratio;
        if (reached.isEmpty()) {
            return new Verdict(ratio, Outcome.OPEN);
        }
        if (row.bar().isNone()) {
            return new Verdict(ratio, Outcome.NONE);
        }
        return new Verdict(ratio, row.bar().isMetBy(reached.getAsDouble()) ? Outcome.MET : Outcome.MISSED);
    }

    /** The server or other contender whose figure is the reference for the row. */
    static Optional<String> reference(Work.Row row, Results results, List<String> peers) {
        return row.bar().against().contender().or(() -> best(row, results, peers));
    }

    private static Optional<String> best(Work.Row row, Results results, List<String> peers) {
        Comparator<String> byMedian = Comparator.comparingDouble(server ->
                median(results.byRound(server, row.work(), row.figure())).orElseThrow());
        return peers.stream()
                .filter(server ->
                        !results.byRound(server, row.work(), row.figure()).isEmpty())
                .max(row.figure().isHighBetter() ? byMedian : byMedian.reversed());
    }

    /**
     * The median of the ratios of all rounds in which both servers have a figure. The machine may become slower or faster between rounds. A
     * ratio within one round is not affected by this.
     */
    private static OptionalDouble ratio(SortedMap<Integer, Double> ours, SortedMap<Integer, Double> reference) {
        List<Double> ratios = new ArrayList<>();
        for (Map.Entry<Integer, Double> round : ours.entrySet()) {
            Double other = reference.get(round.getKey());
            // Zero divided by zero, and infinity divided by infinity, have no ratio.
            if (other != null && !Double.isNaN(round.getValue() / other)) {
                ratios.add(round.getValue() / other);
            }
        }
        return ratios.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Spread.of(ratios).median());
    }

    private static OptionalDouble median(SortedMap<Integer, Double> values) {
        return values.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Spread.of(values.values()).median());
    }

    /** If the client uses more of a processor than this, its single thread is the bottleneck. */
    private static final double CLIENT_BUSY = 0.95;

    /**
     * The measurements that explain the outcome, in one line: the processor time of the client and of the two compared servers, and the
     * first error. If a figure is missing, the reason for which it was not measured. Empty if the bar is met.
     */
    String why(Work.Row row, Results results, String ours, List<String> peers) {
        return switch (outcome) {
            case MET, NONE -> "";
            case OPEN -> whyOpen(row, results, ours, peers);
            case MISSED -> whyMissed(row, results, ours, peers);
        };
    }

    private static String whyOpen(Work.Row row, Results results, String ours, List<String> peers) {
        List<String> needed =
                new ArrayList<>(row.bar().against().contender().map(List::of).orElse(peers));
        needed.add(ours);
        return results.gaps().stream()
                .filter(gap -> gap.work().equals(row.work()) && needed.contains(gap.server()))
                .map(gap -> results.titleOf(gap.server()) + ": " + gap.reason())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private static String whyMissed(Work.Row row, Results results, String ours, List<String> peers) {
        List<String> reasons = new ArrayList<>();
        OptionalDouble client = median(results.byRound(ours, row.work(), Figure.CLIENT));
        if (client.isPresent() && client.getAsDouble() > CLIENT_BUSY) {
            reasons.add(String.format(Locale.ROOT, "the client used %.2f processors", client.getAsDouble()));
        }
        row.figure().cost().ifPresent(cost -> {
            List<String> costs = new ArrayList<>();
            Stream.concat(Stream.of(ours), reference(row, results, peers).stream())
                    .forEach(server -> median(results.byRound(server, row.work(), cost))
                            .ifPresent(used -> costs.add(results.titleOf(server) + " " + cost.write(used))));
            if (!costs.isEmpty()) {
                reasons.add(cost.title() + ": " + String.join(", ", costs));
            }
        });
        results.turns(ours, row.work()).stream()
                .map(Results.Turn::note)
                .filter(note -> !note.isEmpty())
                .findFirst()
                .ifPresent(reasons::add);
        return String.join("; ", reasons);
    }
}
