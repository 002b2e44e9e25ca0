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
 * @param source the source of the numbers; for {@link Source#NONE}, all numbers are zero
 * @param requests the requests per second that workers have served
 * @param opened the new connections per second
 * @param received the received bytes per second
 * @param sent the sent bytes per second
 * @param total the durations of the requests, from the first byte of the request to the last byte of the response
 * @param stages the durations of each stage of the requests
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

    /** Compares successive readings of the metrics. Thread: one. */
    static final class Watch {
        private static final Duration OF_RATES = Duration.ofSeconds(2);
        private static final Duration OF_TIMES = Duration.ofSeconds(10);

        /**
         * The time between two readings of the histograms. The histograms are large, and people cannot read figures that change twice a
         * second.
         */
        private static final long BETWEEN_TIMES = Saturated.nanos(Duration.ofMillis(900));

        private final Window<Totals> rates = new Window<>(OF_RATES);
        private final Window<Times> times = new Window<>(OF_TIMES);
        private long timed;
        private Percentiles total = Percentiles.NONE;
        private Map<Stage, Percentiles> stages = Map.of();

        /** The totals since the server's start. */
        private record Totals(long opened, long served, long received, long sent) {
            static Totals of(RequestMetrics metrics, Counters counters) {
                Traffic traffic = metrics.traffic();
                return new Totals(
                        traffic.opened(),
                        traffic.served(),
                        counters.value(Counter.RECEIVED_BYTES),
                        counters.value(Counter.SENT_BYTES));
            }
        }

        private record Times(Durations.Snapshot total, Map<Stage, Durations.Snapshot> stages) {}

        /** Forgets earlier readings, after a time without readings. */
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
            Totals totals = Totals.of(metrics, counters);
            Window.Reading<Totals> then = rates.add(totals, now);
            double seconds = then.secondsUntil(now);
            return new Pace(
                    Source.REQUESTS,
                    (totals.served() - then.value().served()) / seconds,
                    (totals.opened() - then.value().opened()) / seconds,
                    (totals.received() - then.value().received()) / seconds,
                    (totals.sent() - then.value().sent()) / seconds,
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
