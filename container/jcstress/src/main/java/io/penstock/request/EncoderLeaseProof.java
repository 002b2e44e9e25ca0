package io.penstock.request;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Deflater;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LII_Result;

/**
 * Checks the {@link EncoderLease}. An abort of the response closes the lease while the writer compresses. The compressor must return to its
 * pool once, and never while the writer uses it. All segments must be released.
 */
public class EncoderLeaseProof {
    /** One compressor for all runs of the test. Only the writer uses the compressor, and its output is not read. */
    private static final Deflater DEFLATER = new Deflater(Deflater.DEFAULT_COMPRESSION, true);

    private static final ByteBuffer BYTES = ByteBuffer.wrap(new byte[16]).asReadOnlyBuffer();

    @JCStressTest
    @State
    @Outcome(
            id = "(wrote|refused), 0, 1",
            expect = ACCEPTABLE,
            desc = "all segments are released; the compressor is released once")
    @Outcome(expect = FORBIDDEN, desc = "a segment is lost, or the compressor is returned twice or never")
    public static class WriteAgainstAbort {
        private final AtomicInteger outstanding = new AtomicInteger();
        private final AtomicInteger givenBack = new AtomicInteger();
        private final EncoderLease lease =
                new EncoderLease(new GzipEncoder(DEFLATER, this::segment), givenBack::incrementAndGet);

        private Segment segment() {
            outstanding.incrementAndGet();
            ByteBuffer buffer = ByteBuffer.allocate(64);
            return new Segment() {
                @Override
                public ByteBuffer buffer() {
                    return buffer;
                }

                @Override
                public void release() {
                    outstanding.decrementAndGet();
                }
            };
        }

        @Actor
        public void writer(LII_Result r) {
            try {
                lease.take().put(BYTES.duplicate());
                r.r1 = "wrote";
            } catch (IOException e) {
                r.r1 = "refused";
                return;
            }
            lease.putBack();
        }

        @Actor
        public void aborts() {
            lease.close();
        }

        @Arbiter
        public void outcome(LII_Result r) {
            r.r2 = outstanding.get();
            r.r3 = givenBack.get();
        }
    }
}
