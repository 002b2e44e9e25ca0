package io.penstock.loadtest.compare.rows;

import java.time.Duration;
import java.util.List;

/**
 * What is measured.
 *
 * @param works in their order
 * @param warmUp of each server with each work
 * @param duration of each turn
 * @param rounds turns of each server with each work
 */
record RowsPlan(List<Work> works, Duration warmUp, Duration duration, int rounds) {
    /** @throws IllegalArgumentException with one line that names the option */
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

    int turns(int servers) {
        int extra = works.stream()
                .mapToInt(work -> RowsExperiment.extra(work).size())
                .sum();
        return rounds * (works.size() * servers + extra);
    }

    int connections() {
        return works.stream().mapToInt(Work::connections).max().orElse(0);
    }

    int files() {
        return works.stream().mapToInt(Work::files).max().orElse(0);
    }
}
