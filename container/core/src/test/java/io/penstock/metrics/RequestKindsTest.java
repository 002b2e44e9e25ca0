package io.penstock.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.RequestSummary.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the kinds of requests in the metrics. The kinds follow the conventions of OpenTelemetry, and their number is limited. */
class RequestKindsTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final RequestMetrics metrics = new RequestMetrics();

    private void record(Method method, Outcome outcome, int status, long nanos) {
        new ReportedRequest("c1", method.name(), outcome, status).reportTo(metrics, nanos, 0, 0, 0);
    }

    private Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        metrics.eachKind((scheme, method, status, error, times) -> counts.put(
                method.label() + " " + status + " " + error, times.get().count()));
        return counts;
    }

    @Test
    void requestsAreCountedByMethodAndStatusAndError() {
        record(Method.GET, Outcome.ANSWERED, 200, MILLI);
        record(Method.GET, Outcome.ANSWERED, 404, MILLI);
        record(Method.GET, Outcome.REFUSED, 503, MILLI);
        record(Method.POST, Outcome.ABORTED, 200, MILLI);
        record(Method.POST, Outcome.GONE, 0, MILLI);
        record(Method.POST, Outcome.REFUSED, 0, MILLI);
        assertEquals(
                Map.of(
                        "GET 200 ", 1L,
                        "GET 404 ", 1L,
                        "GET 503 503", 1L,
                        "POST 0 aborted", 1L,
                        "POST 0 gone", 1L,
                        "POST 0 ", 1L),
                counts());
    }

    @Test
    void eachBucketIncludesAllShorterTimes() {
        for (long nanos : new long[] {5 * MILLI, 5 * MILLI + 1, 10_000 * MILLI, 10_001 * MILLI}) {
            record(Method.GET, Outcome.ANSWERED, 200, nanos);
        }
        metrics.eachKind((scheme, method, status, error, source) -> {
            var times = source.get();
            assertEquals(0.005, times.buckets().get(0).upTo());
            assertEquals(1, times.buckets().get(0).count());
            assertEquals(2, times.buckets().get(1).count());
            assertEquals(3, times.buckets().get(times.buckets().size() - 1).count());
            assertEquals(4, times.count());
            assertEquals(10.001, times.longest());
            assertEquals(20.011, times.sum(), 1e-6);
        });
    }

    /** The number of kinds is limited. Several threads that add the same kind at the same time must use up only one entry. */
    @Test
    void aKindIsStoredOnlyOnceIfSeveralThreadsAddIt() throws Exception {
        int threads = 8;
        CyclicBarrier each = new CyclicBarrier(threads);
        List<FutureTask<Void>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            FutureTask<Void> one = new FutureTask<>(() -> {
                for (int status = 200; status < 200 + RequestKinds.MAX; status++) {
                    each.await();
                    record(Method.GET, Outcome.ANSWERED, status, MILLI);
                }
                return null;
            });
            all.add(one);
            new Thread(one, "recorder-" + i).start();
        }
        for (FutureTask<Void> one : all) {
            one.get(60, TimeUnit.SECONDS);
        }
        Map<String, Long> counts = counts();
        assertEquals(RequestKinds.MAX, counts.size());
        assertEquals(Set.of((long) threads), Set.copyOf(counts.values()));
    }

    /** An application can send any status. Nevertheless the number of kinds must stay small, and every request must be counted. */
    @Test
    void kindsBeyondTheLimitAreCountedByMethodOnly() {
        long sent = 0;
        for (Method method : Method.values()) {
            for (int status = 200; status < 600; status++) {
                record(method, Outcome.ANSWERED, status, MILLI);
                sent++;
            }
        }
        Map<String, Long> counts = counts();
        assertTrue(
                counts.size() <= RequestKinds.MAX + Scheme.values().length * Method.values().length, counts::toString);
        assertTrue(counts.get("PATCH 0 ") > 300, counts::toString);
        assertEquals(sent, counts.values().stream().mapToLong(Long::longValue).sum());
    }
}
