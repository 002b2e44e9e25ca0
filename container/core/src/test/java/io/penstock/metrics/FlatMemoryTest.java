package io.penstock.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that metrics do not need more memory for many different paths, methods and refusal reasons. */
class FlatMemoryTest {
    private static final int CLIENTS = 1_000_000;

    private final RequestMetrics metrics = new RequestMetrics();

    private static Request request(int number) {
        return new Request(
                "c" + number,
                1,
                new InetSocketAddress("127.0.0.1", 1 + number % 60_000),
                "METHOD" + number,
                "/path/" + number,
                "HTTP/1.1",
                name -> Optional.of("value " + number));
    }

    private void reportRequest(int number) {
        Request request = request(number);
        metrics.opened(request.connection(), request.remote());
        metrics.headArrived(request);
        metrics.refused(request.connection(), 400, "a reason with " + number);
        metrics.ended(new RequestSummary(
                request,
                "",
                Outcome.values()[number % Outcome.values().length],
                200 + number % 3,
                "reason " + number,
                new RequestSummary.Volume(number, number, 0, 0),
                new RequestSummary.Times(Instant.EPOCH, number, number, number, number, number)));
    }

    /** Returns how many requests with the method {@code wanted} were measured, whatever their outcome. */
    private long timed(Method wanted) {
        AtomicLong timed = new AtomicLong();
        metrics.eachKind((scheme, method, status, error, times) -> {
            if (method == wanted) {
                timed.addAndGet(times.get().count());
            }
        });
        return timed.get();
    }

    private Set<String> samples() {
        OpenMetrics out = new OpenMetrics(TextFormat.OPEN_METRICS);
        new ServerFigures(
                        Configuration::defaults,
                        new Counters(),
                        gauge -> 0,
                        List.of(),
                        List::of,
                        new CloseCounts(),
                        end -> 0,
                        metrics)
                .requests(new FigureText(out));
        return MetricsText.read(out.end()).samples().keySet();
    }

    @Test
    void newPathsAndNewMethodsAndNewRefusalReasonsDoNotAddSamples() {
        for (int number = 1; number <= 100; number++) {
            reportRequest(number);
        }
        Set<String> few = samples();
        for (int number = 101; number <= CLIENTS; number++) {
            reportRequest(number);
        }
        assertEquals(few, samples());
        assertEquals(CLIENTS, timed(Method.OTHER));
        assertEquals(CLIENTS, metrics.refusals().get(new Refusals.Kind(400, Refusals.OTHER)));
        assertEquals(CLIENTS, metrics.traffic().served() + metrics.outcomes(Outcome.REFUSED));
        assertEquals(metrics.traffic().served(), metrics.served().count());
        assertEquals(0, metrics.active(Method.OTHER));
    }

    @Test
    void refusalsAreCountedSeparatelyForEachLimit() {
        metrics.refused("c1", 503, Key.QUEUE.id());
        metrics.refused("c2", 503, Key.QUEUE.id());
        metrics.refused("c3", 408, Key.BODY_STALL_TIMEOUT.id());
        metrics.refused("c4", 404, "admission");
        assertEquals(2, metrics.refusals().get(new Refusals.Kind(503, "queue")));
        assertEquals(1, metrics.refusals().get(new Refusals.Kind(408, "body-stall-timeout")));
        assertEquals(1, metrics.refusals().get(new Refusals.Kind(404, Refusals.OTHER)));
        assertTrue(samples().contains("penstock_refusals_total{http_response_status_code=\"503\",reason=\"queue\"}"));
    }

    /**
     * In an overload most requests are refused immediately. The short waiting times of these requests must not reduce the measured waiting
     * times of the served requests.
     */
    @Test
    void waitingTimesOfRefusedRequestsAreNotMeasured() {
        Request request = request(1);
        for (Outcome outcome : Outcome.values()) {
            metrics.headArrived(request);
            metrics.ended(new RequestSummary(
                    request,
                    "",
                    outcome,
                    503,
                    "queue",
                    new RequestSummary.Volume(0, 100, 0, 0),
                    new RequestSummary.Times(Instant.EPOCH, 1_000_000, 0, 1_000, 0, 1_000)));
        }
        assertEquals(4, metrics.stage(Stage.HEAD).count());
        assertEquals(3, metrics.stage(Stage.QUEUE).count());
        assertEquals(3, metrics.served().count());
        assertEquals(4, timed(Method.OTHER));
    }

    @Test
    void noTimeIsMeasuredForStagesThatARequestHasNotReached() {
        Request request = request(1);
        metrics.headArrived(request);
        assertEquals(1, metrics.active(Method.OTHER));
        metrics.ended(new RequestSummary(
                request,
                "",
                Outcome.REFUSED,
                408,
                "head-timeout",
                new RequestSummary.Volume(0, 100, 0, 0),
                new RequestSummary.Times(Instant.EPOCH, 1_000_000, 0, 0, 0, 1_000)));
        assertEquals(1, metrics.stage(Stage.HEAD).count());
        assertEquals(0, metrics.stage(Stage.QUEUE).count());
        assertEquals(1, metrics.stage(Stage.DRAIN).count());
        assertEquals(1, metrics.responses(408));
    }
}
