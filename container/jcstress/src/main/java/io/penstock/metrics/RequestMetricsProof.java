package io.penstock.metrics;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks the {@link RequestMetrics}. Each request must be counted once, even if requests begin and end on several threads. The number of
 * active requests must never be negative.
 */
public class RequestMetricsProof {
    private static final InetSocketAddress CLIENT = new InetSocketAddress("127.0.0.1", 1);

    private static Request request(long number) {
        return new Request("c1", number, CLIENT, "GET", "/", "HTTP/1.1", name -> Optional.empty());
    }

    private static void visit(RequestMetrics metrics, Request request) {
        metrics.headArrived(request);
        metrics.ended(new RequestSummary(
                request,
                "",
                Outcome.ANSWERED,
                200,
                "",
                new RequestSummary.Volume(0, 100, 0, 0),
                new RequestSummary.Times(Instant.EPOCH, 1_000, 0, 1_000, 1_000, 1_000)));
    }

    @JCStressTest
    @State
    @org.openjdk.jcstress.annotations.Outcome(
            id = "0 active, 2 answered, 2 with 200",
            expect = ACCEPTABLE,
            desc = "both requests are counted completely")
    @org.openjdk.jcstress.annotations.Outcome(expect = FORBIDDEN, desc = "a request is lost, or is active for ever")
    public static class TwoRequests {
        private final RequestMetrics metrics = new RequestMetrics();
        private final Request one = request(1);
        private final Request other = request(2);

        @Actor
        public void first() {
            visit(metrics, one);
        }

        @Actor
        public void second() {
            visit(metrics, other);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = metrics.active(Method.GET) + " active, " + metrics.outcomes(Outcome.ANSWERED) + " answered, "
                    + metrics.responses(200) + " with 200";
        }
    }

    @JCStressTest
    @State
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"0, 0", "1, 0"},
            expect = ACCEPTABLE,
            desc = "read before, during, or after the request")
    @org.openjdk.jcstress.annotations.Outcome(expect = FORBIDDEN, desc = "the request is active twice, or for ever")
    public static class RequestAgainstLook {
        private final RequestMetrics metrics = new RequestMetrics();
        private final Request one = request(1);

        @Actor
        public void server() {
            visit(metrics, one);
        }

        @Actor
        public void operator(LL_Result r) {
            r.r1 = metrics.active(Method.GET);
        }

        @Arbiter
        public void outcome(LL_Result r) {
            r.r2 = metrics.active(Method.GET);
        }
    }

    /** Two threads count the first two refused requests of a kind, so both threads look up the new kind. */
    @JCStressTest
    @State
    @org.openjdk.jcstress.annotations.Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "one kind with two requests")
    @org.openjdk.jcstress.annotations.Outcome(
            expect = FORBIDDEN,
            desc = "the kind was created twice, and one request is lost")
    public static class TwoRefusalsOfANewKind {
        private final Refusals refusals = new Refusals();
        private final int before = refusals.snapshot().size();

        @Actor
        public void first() {
            refusals.count(507, "queue");
        }

        @Actor
        public void second() {
            refusals.count(507, "queue");
        }

        @Arbiter
        public void outcome(LL_Result r) {
            Map<Refusals.Kind, Long> all = refusals.snapshot();
            r.r1 = all.size() - before;
            r.r2 = all.get(new Refusals.Kind(507, "queue"));
        }
    }
}
