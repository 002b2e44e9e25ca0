package io.penstock.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks a {@link ReadAhead}, which keeps the bytes for later reads in one segment. A thread reads single bytes. At the same time another
 * thread closes the object or drops the kept bytes. No byte may be lost, and the segment must be released once.
 */
public class ReadAheadProof {

    /** Reads from a source with numbered bytes. Each read of the source puts four bytes into the buffer. */
    abstract static class Reader {
        private final SegmentPool pool = new SegmentPool(4, 16);
        private final StringBuilder read = new StringBuilder();
        final ReadAhead ahead = new ReadAhead(
                (target, position) -> {
                    int count = target.remaining();
                    for (int i = 0; i < count; i++) {
                        target.put((byte) (position + i));
                    }
                    return count;
                },
                pool);
        private long position;

        void readOne() {
            try {
                ByteBuffer one = ByteBuffer.allocate(1);
                position += ahead.read(one, position);
                read.append(one.get(0));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String outcome() {
            return read + (pool.inUse() == 0 ? "" : ", " + pool.inUse() + " held");
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "012", expect = ACCEPTABLE, desc = "every byte once; the segment is released")
    @Outcome(expect = FORBIDDEN, desc = "bytes or the segment are lost")
    public static class CloseAgainstReads extends Reader {

        @Actor
        public void reader() {
            readOne();
            readOne();
            readOne();
        }

        @Actor
        public void end() {
            ahead.close();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = outcome();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "012", expect = ACCEPTABLE, desc = "every byte once; the segment is released")
    @Outcome(expect = FORBIDDEN, desc = "bytes or the segment are lost")
    public static class DropAgainstReads extends Reader {

        @Actor
        public void reader() {
            readOne();
            readOne();
            readOne();
        }

        @Actor
        public void other() {
            ahead.drop();
        }

        @Arbiter
        public void outcome(L_Result r) {
            ahead.close();
            r.r1 = outcome();
        }
    }
}
