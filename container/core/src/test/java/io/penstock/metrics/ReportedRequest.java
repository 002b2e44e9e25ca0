package io.penstock.metrics;

import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Optional;

/** A request that a test reports to the metrics, from the arrival of its head to its end. */
record ReportedRequest(String connection, String method, Outcome outcome, int status) {
    private static final InetSocketAddress CLIENT = new InetSocketAddress("127.0.0.1", 1);

    /** Reports the request to the metrics. The numbers are the nanoseconds in each stage. */
    void reportTo(RequestMetrics metrics, long head, long queue, long service, long drain) {
        Request request = new Request(connection, 1, CLIENT, method, "/", "HTTP/1.1", name -> Optional.empty());
        metrics.headArrived(request);
        metrics.ended(new RequestSummary(
                request,
                "",
                outcome,
                status,
                "",
                new RequestSummary.Volume(3, 100, 2, 1),
                new RequestSummary.Times(Instant.EPOCH, head, 0, queue, service, drain)));
    }
}
