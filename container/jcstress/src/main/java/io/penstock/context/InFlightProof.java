package io.penstock.context;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * Checks the {@link InFlight} count of an application's requests. The count must not be zero while a request runs, and must be zero after
 * the last request.
 */
public class InFlightProof {

    @JCStressTest
    @State
    @Outcome(id = "in, waits", expect = ACCEPTABLE, desc = "the request entered, and the application waits for it")
    @Outcome(id = "refused, empty", expect = ACCEPTABLE, desc = "the application had closed before")
    @Outcome(expect = FORBIDDEN, desc = "a request runs in an ended application, or the application never ends")
    public static class EnterAgainstClose {
        private final InFlight inFlight = new InFlight();

        @Actor
        public void request(LL_Result r) {
            r.r1 = inFlight.enter() == null ? "refused" : "in";
        }

        @Actor
        public void undeploy() {
            inFlight.close();
        }

        @Arbiter
        public void outcome(LL_Result r) {
            r.r2 = inFlight.close().toCompletableFuture().isDone() ? "empty" : "waits";
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "left, empty", expect = ACCEPTABLE, desc = "the last thread reported that no request runs")
    @Outcome(expect = FORBIDDEN, desc = "no thread reported that no request runs")
    public static class LeaveAgainstClose {
        private final InFlight inFlight = new InFlight();
        private final InFlight.Visit visit = inFlight.enter();

        @Actor
        public void request(LL_Result r) {
            if (visit != null) {
                visit.end();
            }
            r.r1 = "left";
        }

        @Actor
        public void undeploy() {
            inFlight.close();
        }

        @Arbiter
        public void outcome(LL_Result r) {
            r.r2 = inFlight.close().toCompletableFuture().isDone() ? "empty" : "waits";
        }
    }
}
