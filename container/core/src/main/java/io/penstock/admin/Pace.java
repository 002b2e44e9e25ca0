package io.penstock.admin;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.metrics.Durations;
import io.penstock.metrics.RequestMetrics;
import io.penstock.metrics.Stage;
import io.penstock.metrics.Traffic;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The throughput of the server in the last seconds.
 *
 * @param source of the numbers; without a source all are zero
 * @param requests a second that a worker has served
 * @param opened connections a second
 * @param received bytes a second
 * @param sent bytes a second
 * @param total duration of those requests, from the first byte of the request to the last byte of the response
 * @param stages duration of each of their parts
 */
record Pace(
        Source source,
        double requests,
        double opened,
        double received,
        double sent,
        Percentiles total,
        Map<Stage, Percentiles> stages) {

    static final Pace UNKNOWN = new Pace(Source.NONE, 0, 0, 0, 0, Percentiles.NONE, Map.of());

    /** The source of the numbers. */
    enum Source {
        REQUESTS,
        /** Requests are not measured. */
        NONE
    }

    /** Compares successive readings. Thread: one. */
    static final class Watch {
        private static final Duration OF_RATES = Duration.ofSeconds(2);
        private static final Duration OF_TIMES = Duration.ofSeconds(10);

        /** Histograms are read less often, since they are large, and since people cannot read figures that change twice a second. */
        private static final long BETWEEN_TIMES = Saturated.nanos(Duration.ofMillis(900));

        private final Window<Passed> rates = new Window<>(OF_RATES);
        private final Window<Times> times = new Window<>(OF_TIMES);
        private long timed;
        private Percentiles total = Percentiles.NONE;
        private Map<Stage, Percentiles> stages = Map.of();

        /** The totals since the start. */
        private record Passed(long opened, long served, long received, long sent) {
            static Passed of(RequestMetrics metrics, Counters counters) {
                Traffic traffic = metrics.traffic();
                return new Passed(
                        traffic.opened(),
                        traffic.served(),
                        counters.value(Counter.RECEIVED_BYTES),
                        counters.value(Counter.SENT_BYTES));
            }
        }

        private record Times(Durations.Snapshot total, Map<Stage, Durations.Snapshot> stages) {}

        /** Starts again after a time without readings. */
        void restart() {
            rates.clear();
            times.clear();
            timed = 0;
            total = Percentiles.NONE;
            stages = Map.of();
        }

        Pace look(@Nullable RequestMetrics metrics, Counters counters, long now) {
            if (metrics == null) {
                return UNKNOWN;
            }
            if (timed == 0 || now - timed >= BETWEEN_TIMES) {
                timed = now;
                time(metrics, now);
            }
            Passed passed = Passed.of(metrics, counters);
            Window.Look<Passed> then = rates.add(passed, now);
            double seconds = then.secondsUntil(now);
            return new Pace(
                    Source.REQUESTS,
                    (passed.served() - then.value().served()) / seconds,
                    (passed.opened() - then.value().opened()) / seconds,
                    (passed.received() - then.value().received()) / seconds,
                    (passed.sent() - then.value().sent()) / seconds,
                    total,
                    stages);
        }

        private void time(RequestMetrics metrics, long now) {
            Map<Stage, Durations.Snapshot> ofStages = new EnumMap<>(Stage.class);
            for (Stage stage : Stage.values()) {
                ofStages.put(stage, metrics.stage(stage));
            }
            Times present = new Times(metrics.served(), ofStages);
            Times then = times.add(present, now).value();
            total = Percentiles.of(present.total().since(then.total()));
            Map<Stage, Percentiles> recent = new EnumMap<>(Stage.class);
            ofStages.forEach((stage, snapshot) -> {
                Durations.Snapshot earlier =
                        Objects.requireNonNull(then.stages().get(stage));
                recent.put(stage, Percentiles.of(snapshot.since(earlier)));
            });
            stages = recent;
        }
    }
}
