package io.penstock.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.RequestSummary.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests that every request is counted once, although many threads report requests. A thread that reads the metrics at the same time must
 * not get impossible values.
 */
class RequestMetricsTest {
    private static final int CLIENTS = 8;
    private static final int EACH = 20_000;

    private final RequestMetrics metrics = new RequestMetrics();

    @Test
    void allRequestsAreCountedWhenManyThreadsReportThem() throws Exception {
        List<FutureTask<Void>> all = new ArrayList<>();
        for (int client = 1; client <= CLIENTS; client++) {
            String connection = "c" + client;
            FutureTask<Void> one = new FutureTask<>(() -> {
                for (int number = 1; number <= EACH; number++) {
                    new ReportedRequest(connection, "GET", Outcome.ANSWERED, 200)
                            .reportTo(metrics, 1_000, 1_500, 2_000, 2_500);
                }
                return null;
            });
            all.add(one);
            new Thread(one, connection).start();
        }
        while (!all.stream().allMatch(FutureTask::isDone)) {
            long active = metrics.active(Method.GET);
            assertTrue(active >= 0, () -> active + " active requests");
        }
        for (FutureTask<Void> one : all) {
            one.get(60, TimeUnit.SECONDS);
        }
        long requests = (long) CLIENTS * EACH;
        assertEquals(0, metrics.active(Method.GET));
        assertEquals(requests, metrics.outcomes(Outcome.ANSWERED));
        assertEquals(0, metrics.outcomes(Outcome.GONE));
        assertEquals(requests, metrics.responses(200));
        assertEquals(List.of(200), metrics.statuses());
        assertEquals(requests, metrics.stage(Stage.QUEUE).count());
        assertEquals(requests * 1_500, metrics.stage(Stage.QUEUE).sum());
        assertEquals(0, metrics.stage(Stage.BODY).count());
        assertEquals(requests, metrics.served().count());
        assertEquals(requests * 7_000, metrics.served().sum());
        assertEquals(new Traffic(0, requests, requests * 3, requests * 2, requests), metrics.traffic());
    }

    /** A refused request leaves the queue before a worker is free, so its waiting time must not be measured. */
    @Test
    void theWaitingTimeOfARefusedRequestIsNotMeasured() {
        new ReportedRequest("c1", "GET", Outcome.REFUSED, 503).reportTo(metrics, 1_000, 1_500, 0, 2_500);
        assertEquals(0, metrics.stage(Stage.QUEUE).count());
        assertEquals(1, metrics.stage(Stage.HEAD).count());
        assertEquals(0, metrics.served().count());
        assertEquals(1, metrics.outcomes(Outcome.REFUSED));
        assertEquals(0, metrics.traffic().served());
        assertEquals(0, metrics.active(Method.GET));
        assertEquals(List.of(200, 503), metrics.statuses());
    }
}
