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
    @Outcome(id = "0 and no time", expect = ACCEPTABLE, desc = "looked before")
    @Outcome(id = "0 and its time", expect = ACCEPTABLE, desc = "looked meanwhile: it is going to be counted")
    @Outcome(id = "1 and its time", expect = ACCEPTABLE, desc = "looked after it")
    @Outcome(expect = FORBIDDEN, desc = "counted, and its time is missing")
    public static class RecordAgainstSnapshot {
        private final Durations durations = new Durations();

        @Actor
        public void server() {
            durations.record(20_000);
        }

        @Actor
        public void operator(L_Result r) {
            Durations.Snapshot now = durations.snapshot();
            boolean whole = now.sum() == 20_000 && now.longest() == 20_000;
            boolean counted = now.count() > 0;
            r.r1 = now.count() + (whole ? " and its time" : counted ? " and a part of its time" : " and no time");
        }
    }

    /** Different times: the longer one stays the longest. */
    @JCStressTest
    @State
    @Outcome(id = "2 of 50000 up to 30000", expect = ACCEPTABLE, desc = "both")
    @Outcome(expect = FORBIDDEN, desc = "one is lost")
    public static class TwoRecord {
        private final Durations durations = new Durations();

        @Actor
        public void first() {
            durations.record(20_000);
        }

        @Actor
        public void second() {
            durations.record(30_000);
        }

        @Arbiter
        public void outcome(L_Result r) {
            Durations.Snapshot end = durations.snapshot();
            r.r1 = end.count() + " of " + end.sum() + " up to " + end.longest();
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
