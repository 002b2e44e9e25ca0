package io.penstock.metrics;

import io.penstock.events.RequestSummary.Outcome;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Gauge;
import io.penstock.limits.Gauges;
import io.penstock.limits.Metric;
import io.penstock.metrics.OpenMetrics.Family;
import io.penstock.metrics.OpenMetrics.Type;
import java.util.Locale;

/**
 * The figures of one server as families of OpenMetrics: what its tables of counters and levels have, and what is measured of its requests.
 *
 * <p>Thread: the one that writes.
 */
public final class ServerFigures {
    private static final String METHOD = "http_request_method";
    private static final String STATUS = "http_response_status_code";

    private final OpenMetrics out;

    public ServerFigures(OpenMetrics out) {
        this.out = out;
    }

    public void counters(Counters counters) {
        for (Counter counter : Counter.values()) {
            Metric metric = Metric.of(counter);
            out.family(metric.name(), Type.COUNTER, metric.unit(), counter.meaning())
                    .total(counters.value(counter));
        }
    }

    public void levels(Gauges gauges) {
        for (Gauge gauge : Gauge.values()) {
            Metric metric = Metric.of(gauge);
            out.family(metric.name(), Type.GAUGE, metric.unit(), gauge.meaning())
                    .gauge(gauges.value(gauge) / metric.divisor());
        }
    }

    public void requests(RequestMetrics metrics) {
        durations(metrics);
        outcomes(metrics);
        traffic(metrics.traffic());
    }

    private void durations(RequestMetrics metrics) {
        Family durations = out.family(
                "http_server_request_duration_seconds",
                Type.HISTOGRAM,
                "seconds",
                "from the first byte of a request to the last of its answer");
        for (Method method : Method.values()) {
            Durations.Snapshot snapshot = metrics.duration(method);
            if (snapshot.count() > 0) {
                durations.histogram(snapshot, Buckets.REQUEST, METHOD, method.label());
            }
        }
        Family active = out.family(
                "http_server_active_requests",
                Type.GAUGE,
                "",
                "requests whose head has arrived and that have not ended");
        for (Method method : Method.values()) {
            active.gauge(metrics.active(method), METHOD, method.label());
        }
        Family stages = out.family(
                "penstock_request_stage_duration_seconds",
                Type.HISTOGRAM,
                "seconds",
                "where the time of requests went: its head arrives, its body arrives, it waits for a worker, the application serves it, "
                        + "its client takes the answer; counted where it got there");
        for (Stage stage : Stage.values()) {
            stages.histogram(metrics.stage(stage), Buckets.STAGE, "stage", stage.id());
        }
    }

    private void outcomes(RequestMetrics metrics) {
        Family outcomes =
                out.family("penstock_requests", Type.COUNTER, "", "requests that have ended, by how they did");
        for (Outcome outcome : Outcome.values()) {
            outcomes.total(metrics.outcomes(outcome), "outcome", outcome.name().toLowerCase(Locale.ROOT));
        }
        Family responses = out.family("penstock_responses", Type.COUNTER, "", "responses, by their status");
        metrics.responses().forEach((status, count) -> responses.total(count, STATUS, status.toString()));
        Family refusals = out.family(
                "penstock_refusals",
                Type.COUNTER,
                "",
                "requests answered without a worker, by status and reason: the key of the bound that was reached, or "
                        + Refusals.OTHER);
        metrics.refusals()
                .forEach((kind, count) ->
                        refusals.total(count, STATUS, Integer.toString(kind.status()), "reason", kind.reason()));
    }

    private void traffic(Traffic traffic) {
        out.family("penstock_connections_opened", Type.COUNTER, "", "connections that clients have opened")
                .total(traffic.opened());
        bytes("penstock_request_body_bytes", "bytes of request bodies", traffic.requestBodies());
        bytes("penstock_request_spooled_bytes", "bytes of request bodies written to disk", traffic.requestOnDisk());
        bytes("penstock_response_spooled_bytes", "bytes of responses written to disk", traffic.responseOnDisk());
    }

    private void bytes(String name, String help, long value) {
        out.family(name, Type.COUNTER, "bytes", help).total(value);
    }
}
