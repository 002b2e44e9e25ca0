package io.penstock.pipe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * Checks the {@link ClientWaits}. A worker waits for its client. At the same time an operator reads the state of the worker, or another
 * worker waits. The operator must see the wait of this worker or no wait. After the wait, the worker must not be displayed as waiting.
 */
public class ClientWaitsProof {

    @JCStressTest
    @State
    @Outcome(
            id = {"none, null", "BYTES, null"},
            expect = ACCEPTABLE,
            desc = "read before, during, or after the wait")
    @Outcome(expect = FORBIDDEN, desc = "the wait is shown for ever")
    public static class WaitAgainstLook {
        private final ClientWaits waits = new ClientWaits();
        private volatile Thread reader;

        @Actor
        public void reads() {
            reader = Thread.currentThread();
            waits.begin(ClientWaits.For.BYTES);
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
            r.r2 = waits.of(reader);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "BYTES ROOM, null null", expect = ACCEPTABLE, desc = "each worker is shown at its wait")
    @Outcome(expect = FORBIDDEN, desc = "a worker is shown at the wait of another worker, or for ever")
    public static class TwoWait {
        private final ClientWaits waits = new ClientWaits();
        private Thread reader;
        private Thread writer;
        private ClientWaits.For reads;
        private ClientWaits.For writes;

        @Actor
        public void reads() {
            reader = Thread.currentThread();
            waits.begin(ClientWaits.For.BYTES);
            reads = waits.of(reader);
            waits.end();
        }

        @Actor
        public void writes() {
            writer = Thread.currentThread();
            waits.begin(ClientWaits.For.ROOM);
            writes = waits.of(writer);
            waits.end();
        }

        @Arbiter
        public void outcome(LL_Result r) {
            r.r1 = reads + " " + writes;
            r.r2 = waits.of(reader) + " " + waits.of(writer);
        }
    }
}
