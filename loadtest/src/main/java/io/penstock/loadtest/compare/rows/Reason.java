package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.report.Spread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the measurements that explain why a {@link Bar} is not met: the processor time of the client and of the two compared servers, and
 * the first error. If a figure is missing, the explanation is the reason for which it was not measured.
 */
final class Reason {
    /** If the client uses more of a processor than this, its single thread is the bottleneck. */
    private static final double CLIENT_BUSY = 0.95;

    private final Row row;
    private final RowsResults results;
    private final String ours;
    private final List<String> peers;

    /**
     * @param ours the server whose result is explained
     * @param peers the servers with which {@code ours} is compared
     */
    Reason(Row row, RowsResults results, String ours, List<String> peers) {
        this.row = row;
        this.results = results;
        this.ours = ours;
        this.peers = peers;
    }

    /** The explanation in one line. It is empty if the bar is met, or if no measurement explains the outcome. */
    String of(Verdict.Outcome outcome) {
        return switch (outcome) {
            case MET, NONE -> "";
            case OPEN -> ofOpen();
            case MISSED -> ofMissed();
        };
    }

    private String ofOpen() {
        List<String> needed =
                new ArrayList<>(row.bar().against().contender().map(List::of).orElse(peers));
        needed.add(ours);
        return results.gaps().stream()
                .filter(gap -> gap.work().equals(row.work()) && needed.contains(gap.server()))
                .map(gap -> results.titleOf(gap.server()) + ": " + gap.reason())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private String ofMissed() {
        List<String> reasons = new ArrayList<>();
        Optional<Double> client = median(ours, Figure.CLIENT);
        if (client.isPresent() && client.get() > CLIENT_BUSY) {
            reasons.add(String.format(Locale.ROOT, "the client used %.2f processors", client.get()));
        }
        if (row.figure().cost().isPresent()) {
            Figure cost = row.figure().cost().get();
            String costs = Stream.concat(Stream.of(ours), Verdict.reference(row, results, peers).stream())
                    .flatMap(server ->
                            median(server, cost).stream().map(used -> results.titleOf(server) + " " + cost.write(used)))
                    .collect(Collectors.joining(", "));
            if (!costs.isEmpty()) {
                reasons.add(cost.title() + ": " + costs);
            }
        }
        results.turns(ours, row.work()).stream()
                .map(Turn::firstTrouble)
                .filter(trouble -> !trouble.isEmpty())
                .findFirst()
                .ifPresent(reasons::add);
        return String.join("; ", reasons);
    }

    private Optional<Double> median(String server, Figure figure) {
        Collection<Double> values = results.byRound(server, row.work(), figure).values();
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(Spread.of(values).median());
    }
}
