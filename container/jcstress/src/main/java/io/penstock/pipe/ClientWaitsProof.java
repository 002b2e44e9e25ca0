package io.penstock.pipe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Two workers wait for their clients while an operator looks: each is seen at its own wait or at none, and none for ever. */
public class ClientWaitsProof {

    @JCStressTest
    @State
    @Outcome(id = {"none, null null", "BYTES, null null"}, expect = ACCEPTABLE, desc = "before, after, or meanwhile")
    @Outcome(expect = FORBIDDEN, desc = "another's wait, or one that does not end")
    public static class TwoWaitWhileOneLooks {
        private final ClientWaits waits = new ClientWaits();
        private volatile Thread reader;
        private volatile Thread writer;

        @Actor
        public void reads() {
            reader = Thread.currentThread();
            waits.begin(ClientWaits.For.BYTES);
            waits.end();
        }

        @Actor
        public void writes() {
            writer = Thread.currentThread();
            waits.begin(ClientWaits.For.ROOM);
            waits.end();
        }

        @Actor
        public void operator(LL_Result r) {
            Thread looked = reader;
            ClientWaits.For seen = looked == null ? null : waits.of(looked);
            r.r1 = seen == null ? "none" : seen.name();
        }

        @Arbiter
        public void outcome(LL_Result r) {
            r.r2 = waits.of(reader) + " " + waits.of(writer);
        }
    }
}
