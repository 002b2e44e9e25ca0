package io.penstock.metrics;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks a {@link Tally} that two threads use. No request may be lost. A concurrent reader must never see a request in the count without
 * its time in the sum.
 */
public class TallyProof {
    private static final Request REQUEST = new Request(
            "c1", 1, new InetSocketAddress("127.0.0.1", 1), "GET", "/", "HTTP/1.1", name -> Optional.empty());

    private static RequestSummary served(long nanos) {
        return new RequestSummary(
                REQUEST,
                "",
                RequestSummary.Outcome.ANSWERED,
                200,
                "",
                new RequestSummary.Volume(0, 100, 0, 0),
                new RequestSummary.Times(Instant.EPOCH, 0, 0, 0, nanos, 0));
    }

    private static String told(Durations.Snapshot times) {
        return times.count() + " of " + times.sum() + " up to " + times.longest();
    }

    @JCStressTest
    @State
    @Outcome(id = "0 of 0 up to 0", expect = ACCEPTABLE, desc = "read before the end")
    @Outcome(id = "1 of 20000 up to 20000", expect = ACCEPTABLE, desc = "read after the end")
    @Outcome(expect = FORBIDDEN, desc = "a count without its time")
    public static class EndAgainstLook {
        private final Tally tally = new Tally();
        private final RequestSummary one = served(20_000);

        @Actor
        public void server() {
            tally.ended(0, one);
        }

        @Actor
        public void operator(L_Result r) {
            r.r1 = told(tally.stage(Stage.SERVICE));
        }
    }

    /** Two threads count requests of the same new kind, with different times. The maximum must be the longer time. */
    @JCStressTest
    @State
    @Outcome(id = "2 of 50000 up to 30000, 2 of the kind", expect = ACCEPTABLE, desc = "both requests are counted")
    @Outcome(expect = FORBIDDEN, desc = "a request is lost")
    public static class TwoEnd {
        private final Tally tally = new Tally();
        private final RequestSummary one = served(20_000);
        private final RequestSummary other = served(30_000);

        @Actor
        public void first() {
            tally.ended(0, one);
        }

        @Actor
        public void second() {
            tally.ended(0, other);
        }

        @Arbiter
        public void outcome(L_Result r) {
            BucketCounts kind = new BucketCounts(Buckets.REQUEST);
            tally.addKind(0, kind);
            r.r1 = told(tally.served()) + ", " + kind.count() + " of the kind";
        }
    }

    /** Two threads add a new kind at the same time. The kind must get only one number. */
    @JCStressTest
    @State
    @Outcome(id = "true", expect = ACCEPTABLE, desc = "the kind has one number")
    @Outcome(expect = FORBIDDEN, desc = "the kind has two numbers")
    public static class TwoMeetAKind {
        private final RequestKinds kinds = new RequestKinds(Scheme.HTTP);
        private final RequestSummary one = new RequestSummary(
                REQUEST,
                "",
                RequestSummary.Outcome.ANSWERED,
                404,
                "",
                new RequestSummary.Volume(0, 100, 0, 0),
                new RequestSummary.Times(Instant.EPOCH, 0, 0, 0, 1, 0));
        private int first;
        private int second;

        @Actor
        public void first() {
            first = kinds.of(one);
        }

        @Actor
        public void second() {
            second = kinds.of(one);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = first == second;
        }
    }
}
