package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.List;

/**
 * The plan of a comparison in which each server does each {@link Work}.
 *
 * @param sheet the table that the comparison fills
 * @param works the works to measure, in their order
 * @param warmUp the warm-up time of each server for each work
 * @param duration the measured time of each turn
 * @param rounds the number of turns of each server for each work
 */
record RowsPlan(Sheet sheet, List<Work> works, Duration warmUp, Duration duration, int rounds) {
    /** @throws IllegalArgumentException if a time is not positive; the message is one line that names the option */
    RowsPlan {
        works = List.copyOf(works);
        positive(warmUp, "--warm-up");
        positive(duration, "--duration");
    }

    private static void positive(Duration time, String option) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException(option + " must be more than 0");
        }
    }

    /** Returns the same plan with other works, for a report. */
    RowsPlan showing(List<Work> shown) {
        return new RowsPlan(sheet, shown, warmUp, duration, rounds);
    }

    int turns(List<Server> servers) {
        return rounds
                * works.stream()
                        .mapToInt(work -> extra(work).size()
                                + (int) servers.stream().filter(work::fits).count())
                        .sum();
    }

    /** The ids of the contenders, other than the servers of the lineup, that are measured with this work. */
    List<String> extra(Work work) {
        return sheet.rows().stream()
                .filter(row -> row.work().equals(work.id()))
                .flatMap(row -> row.bar().against().contender().stream())
                .distinct()
                .toList();
    }

    int connections() {
        return works.stream().mapToInt(Work::connections).max().orElse(0);
    }

    int files() {
        return works.stream().mapToInt(Work::files).max().orElse(0);
    }
}
