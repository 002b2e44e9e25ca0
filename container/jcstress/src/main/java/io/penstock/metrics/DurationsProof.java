package io.penstock.metrics;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Nothing that is recorded is lost, and who looks meanwhile sees nothing counted whose time is missing. */
public class DurationsProof {

    @JCStressTest
    @State
    @Outcome(id = "0, then 2 of 50000 up to 30000", expect = ACCEPTABLE, desc = "looked before both")
    @Outcome(id = "1, then 2 of 50000 up to 30000", expect = ACCEPTABLE, desc = "looked between them")
    @Outcome(id = "2, then 2 of 50000 up to 30000", expect = ACCEPTABLE, desc = "looked after both")
    @Outcome(expect = FORBIDDEN, desc = "one is lost, or counted before its time is")
    public static class TwoRecordWhileOneLooks {
        private final Durations durations = new Durations();
        private String seen = "";

        @Actor
        public void first() {
            durations.record(20_000);
        }

        @Actor
        public void second() {
            durations.record(30_000);
        }

        @Actor
        public void operator() {
            Durations.Snapshot now = durations.snapshot();
            boolean whole = now.sum() >= now.count() * 20_000 && (now.count() == 0 || now.longest() >= 20_000);
            seen = whole ? Long.toString(now.count()) : "torn";
        }

        @Arbiter
        public void outcome(L_Result r) {
            Durations.Snapshot end = durations.snapshot();
            r.r1 = seen + ", then " + end.count() + " of " + end.sum() + " up to " + end.longest();
        }
    }

    /** The same time: one cell. */
    @JCStressTest
    @State
    @Outcome(id = "2 of 40000", expect = ACCEPTABLE, desc = "both")
    @Outcome(expect = FORBIDDEN, desc = "one is lost")
    public static class TwoRecordTheSame {
        private final Durations durations = new Durations();

        @Actor
        public void first() {
            durations.record(20_000);
        }

        @Actor
        public void second() {
            durations.record(20_000);
        }

        @Arbiter
        public void outcome(L_Result r) {
            Durations.Snapshot end = durations.snapshot();
            r.r1 = end.count() + " of " + end.sum();
        }
    }
}
