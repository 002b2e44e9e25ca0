package io.penstock.metrics;

import io.penstock.events.CloseCause;
import io.penstock.events.RequestSummary.Outcome;
import io.penstock.events.WebSocketEnd;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.Setting;
import io.penstock.limits.StreamReset;
import io.penstock.telemetry.Figure;
import io.penstock.telemetry.FigureVisitor;
import io.penstock.telemetry.Unit;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one server: its counters, gauges and configured limits, and the measurements of its requests. The metrics text, JMX and
 * metrics libraries get the same figures from this class.
 *
 * <p>Thread: any.
 */
public final class ServerFigures {
    private static final String SCHEME = "url.scheme";
    private static final String METHOD = "http.request.method";
    private static final String STATUS = "http.response.status_code";
    private static final String ERROR = "error.type";
    private static final String BULKHEAD = "bulkhead";
    private static final String MAPPING = "mapping";

    private final Supplier<Configuration> configuration;
    private final Counters counters;
    private final Gauges gauges;
    private final List<BulkheadFigures> bulkheads;
    private final Supplier<List<MappingFigures>> mappings;
    private final CloseCounts closes;
    private final ToLongFunction<WebSocketEnd> webSocketEnds;
    private final @Nullable RequestMetrics requests;

    /**
     * @param configuration supplies the current configuration
     * @param mappings supplies the servlets and paths with figures of their own, and one row for all others
     * @param webSocketEnds supplies the number of WebSocket sessions that ended for a cause
     * @param requests null if requests are not measured
     */
    public ServerFigures(
            Supplier<Configuration> configuration,
            Counters counters,
            Gauges gauges,
            List<BulkheadFigures> bulkheads,
            Supplier<List<MappingFigures>> mappings,
            CloseCounts closes,
            ToLongFunction<WebSocketEnd> webSocketEnds,
            @Nullable RequestMetrics requests) {
        this.configuration = configuration;
        this.counters = counters;
        this.gauges = gauges;
        this.bulkheads = List.copyOf(bulkheads);
        this.mappings = mappings;
        this.closes = closes;
        this.webSocketEnds = webSocketEnds;
        this.requests = requests;
    }

    public void tell(FigureVisitor to) {
        requests(to);
        closes(to);
        levels(to);
        counters(to);
        bounds(to);
        bulkheads(to);
        mappings(to);
    }

    /** Passes all counters to {@code to}. */
    public void counters(FigureVisitor to) {
        for (Counter counter : Counter.values()) {
            to.counter(figure(Metric.of(counter), counter.meaning()), () -> counters.value(counter));
        }
    }

    /** Passes all gauges to {@code to}. */
    public void levels(FigureVisitor to) {
        for (Gauge gauge : Gauge.values()) {
            Metric metric = Metric.of(gauge);
            to.gauge(figure(metric, gauge.meaning()), () -> gauges.value(gauge) / metric.divisor());
        }
    }

    private static Figure figure(Metric metric, String meaning) {
        return new Figure(metric.name().replace('_', '.'), unit(metric.unit()), meaning);
    }

    private static Unit unit(String symbol) {
        return switch (symbol) {
            case "seconds" -> Unit.SECONDS;
            case "bytes" -> Unit.BYTES;
            default -> Unit.NONE;
        };
    }

    /** Passes all configured limits to {@code to}. The label of a limit is its configuration key. */
    public void bounds(FigureVisitor to) {
        bounds(to, new Figure("penstock.limit", Unit.NONE, "limits on numbers, by key"));
        bounds(to, new Figure("penstock.limit.bytes", Unit.BYTES, "limits on bytes, by key"));
        bounds(to, new Figure("penstock.limit.seconds", Unit.SECONDS, "limits on times, by key"));
    }

    private void bounds(FigureVisitor to, Figure all) {
        for (Setting setting : configuration.get().settings()) {
            Key key = setting.key();
            if (key.isMeasured() && unit(key) == all.unit()) {
                double most = setting.value() instanceof Duration time
                        ? Saturated.nanos(time) / Buckets.NANOS
                        : ((Number) setting.value()).doubleValue();
                to.gauge(all.with("key", key.id()), () -> most);
            }
        }
    }

    /**
     * Passes the figures of all bulkheads, and the limits of these figures. A bulkhead limits the workers and writes for the requests below
     * one path. Figures that a bulkhead does not limit are omitted.
     */
    public void bulkheads(FigureVisitor to) {
        List<BulkheadFigures> workers =
                bulkheads.stream().filter(one -> one.limits().limitsWorkers()).toList();
        Figure busy = new Figure("penstock.bulkhead.workers.busy", Unit.NONE, "workers that run jobs of a bulkhead");
        for (BulkheadFigures one : workers) {
            to.gauge(of(one, busy), one.running()::getAsLong);
        }
        Figure may =
                new Figure("penstock.bulkhead.workers.limit", Unit.NONE, "workers that may run jobs of a bulkhead");
        for (BulkheadFigures one : workers) {
            to.gauge(of(one, may), () -> one.limits().maxWorkers());
        }
        Figure queued = new Figure("penstock.bulkhead.queued", Unit.NONE, "jobs that wait for a worker of a bulkhead");
        for (BulkheadFigures one : workers) {
            to.gauge(of(one, queued), one.queued()::getAsLong);
        }
        Figure room = new Figure(
                "penstock.bulkhead.queued.limit", Unit.NONE, "requests that may wait for a worker of a bulkhead");
        for (BulkheadFigures one : workers) {
            to.gauge(of(one, room), () -> one.limits().maxQueued());
        }
        Figure refused = new Figure(
                "penstock.bulkhead.refused",
                Unit.NONE,
                "requests answered 503 because too many waited in their bulkhead, or because they had waited too long");
        for (BulkheadFigures one : workers) {
            to.counter(of(one, refused), one.refused());
        }
        List<BulkheadFigures> writers = bulkheads.stream()
                .filter(one -> one.limits().limitsSpoolWrites())
                .toList();
        Figure writes =
                new Figure("penstock.bulkhead.spool.writes", Unit.NONE, "a bulkhead's writes to disk that wait or run");
        for (BulkheadFigures one : writers) {
            to.gauge(of(one, writes), one.spoolWrites()::getAsLong);
        }
        Figure mayWrite = new Figure(
                "penstock.bulkhead.spool.writes.limit", Unit.NONE, "a bulkhead's writes to disk that may wait or run");
        for (BulkheadFigures one : writers) {
            to.gauge(of(one, mayWrite), () -> one.limits().maxSpoolWrites());
        }
    }

    /** Passes what the servlets and paths with many workers, with waiting requests, or with refused requests need. */
    public void mappings(FigureVisitor to) {
        List<MappingFigures> rows = mappings.get();
        Figure busy = new Figure(
                "penstock.mapping.workers.busy",
                Unit.NONE,
                "workers that run requests of a servlet, or of a kind of path");
        for (MappingFigures one : rows) {
            to.gauge(busy.with(MAPPING, one.name()), one.running()::getAsLong);
        }
        Figure queued = new Figure(
                "penstock.mapping.queued",
                Unit.NONE,
                "jobs of a servlet, or of a kind of path, that wait for a worker");
        for (MappingFigures one : rows) {
            to.gauge(queued.with(MAPPING, one.name()), one.queued()::getAsLong);
        }
        Figure refused = new Figure(
                "penstock.mapping.refused",
                Unit.NONE,
                "requests for a servlet, or for a kind of path, that the server answered 503");
        for (MappingFigures one : rows) {
            to.counter(refused.with(MAPPING, one.name()), one.refused());
        }
    }

    private static Figure of(BulkheadFigures bulkhead, Figure figure) {
        return figure.with(BULKHEAD, bulkhead.limits().path());
    }

    private static Unit unit(Key key) {
        return switch (key.unit()) {
            case "bytes" -> Unit.BYTES;
            case "time" -> Unit.SECONDS;
            default -> Unit.NONE;
        };
    }

    /**
     * Passes the counts of closed connections, of ended WebSocket sessions and of reset streams, by cause. Each cause has a row from the start. Otherwise, a monitor would miss the first
     * increase of a row.
     */
    public void closes(FigureVisitor to) {
        Figure all = new Figure("penstock.connections.closed", Unit.NONE, "closed connections, by cause");
        for (CloseCause cause : CloseCause.values()) {
            to.counter(all.with("cause", cause.id()), () -> closes.count(cause));
        }
        Figure ended =
                new Figure("penstock.websocket.ended", Unit.NONE, "WebSocket sessions that have ended, by cause");
        for (WebSocketEnd cause : WebSocketEnd.values()) {
            to.counter(ended.with("cause", cause.id()), () -> webSocketEnds.applyAsLong(cause));
        }
        Figure resets = new Figure("penstock.stream.resets", Unit.NONE, "HTTP/2 streams that were reset, by cause");
        for (StreamReset cause : StreamReset.values()) {
            to.counter(resets.with("cause", cause.id()), () -> counters.value(cause));
        }
    }

    /** Passes the measurements of requests to {@code to}. Does nothing if requests are not measured. */
    public void requests(FigureVisitor to) {
        if (requests == null) {
            return;
        }
        durations(requests, to);
        outcomes(requests, to);
        traffic(requests, to);
    }

    private static void durations(RequestMetrics metrics, FigureVisitor to) {
        Figure durations = new Figure(
                "http.server.request.duration",
                Unit.SECONDS,
                "from the first byte of a request to the last byte of its response");
        metrics.eachKind((scheme, method, status, error, times) -> {
            Figure kind = durations
                    .with(SCHEME, scheme.id())
                    .with(METHOD, method.label())
                    .with(STATUS, status == 0 ? "" : Integer.toString(status))
                    .with(ERROR, error);
            to.times(kind, times);
        });
        Figure active = new Figure(
                "http.server.active_requests", Unit.NONE, "requests whose head has arrived and that have not ended");
        for (Scheme scheme : metrics.schemes()) {
            for (Method method : Method.values()) {
                to.gauge(
                        active.with(SCHEME, scheme.id()).with(METHOD, method.label()),
                        () -> metrics.active(scheme, method));
            }
        }
        Figure stages = new Figure(
                "penstock.request.stage.duration",
                Unit.SECONDS,
                "time of requests in each stage: the head arrives, the body arrives, the request waits for a worker,"
                        + " the application serves it, the client takes the response; a stage counts only requests that"
                        + " reached it");
        for (Stage stage : Stage.values()) {
            to.times(
                    stages.with("stage", stage.id()), () -> metrics.stage(stage).times(Buckets.STAGE));
        }
    }

    private static void outcomes(RequestMetrics metrics, FigureVisitor to) {
        Figure outcomes = new Figure("penstock.requests", Unit.NONE, "requests that have ended, by outcome");
        for (Outcome outcome : Outcome.values()) {
            to.counter(
                    outcomes.with("outcome", outcome.name().toLowerCase(Locale.ROOT)), () -> metrics.outcomes(outcome));
        }
        Figure responses = new Figure("penstock.responses", Unit.NONE, "responses, by their status");
        for (int status : metrics.statuses()) {
            to.counter(responses.with(STATUS, Integer.toString(status)), () -> metrics.responses(status));
        }
        Figure failures = new Figure(
                "penstock.failures",
                Unit.NONE,
                "responses of applications with a status of 500 or above; requests that the server refused are not"
                        + " counted");
        for (int status : metrics.failures().keySet()) {
            to.counter(failures.with(STATUS, Integer.toString(status)), () -> metrics.failures(status));
        }
        Figure refusals = new Figure(
                "penstock.refusals",
                Unit.NONE,
                "requests answered without a worker, by status and reason: the key of the limit that was reached, or "
                        + Refusals.OTHER);
        for (Refusals.Kind kind : metrics.refusals().keySet()) {
            to.counter(
                    refusals.with(STATUS, Integer.toString(kind.status())).with("reason", kind.reason()),
                    () -> metrics.refusals(kind));
        }
    }

    private static void traffic(RequestMetrics metrics, FigureVisitor to) {
        to.counter(
                new Figure("penstock.connections.opened", Unit.NONE, "connections that clients have opened"),
                () -> metrics.traffic().opened());
        bytes(to, "penstock.request.body.bytes", "bytes of request bodies", () -> metrics.traffic()
                .requestBodies());
        bytes(to, "penstock.request.spooled.bytes", "bytes of request bodies written to disk", () -> metrics.traffic()
                .requestOnDisk());
        bytes(to, "penstock.response.spooled.bytes", "bytes of responses written to disk", () -> metrics.traffic()
                .responseOnDisk());
    }

    private static void bytes(FigureVisitor to, String name, String meaning, LongSupplier value) {
        to.counter(new Figure(name, Unit.BYTES, meaning), value);
    }
}
