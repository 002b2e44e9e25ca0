package io.penstock.pipe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks a {@link ResponsePipe} with parts of one spool file. Parts are added while the pipe is drained. All bytes must be sent once, and
 * the file must be released once.
 */
public class SpooledRegionProof {
    private static final FileChannel FILE = file();

    /** Makes a file with zeros. Its content is not read, because the outlet only checks positions. */
    private static FileChannel file() {
        try {
            Path made = Files.createTempFile("penstock-proof-", ".tmp");
            try {
                FileChannel channel = FileChannel.open(made, StandardOpenOption.READ, StandardOpenOption.WRITE);
                channel.truncate(0);
                channel.write(ByteBuffer.allocate(64));
                return channel;
            } finally {
                Files.delete(made);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A pipe that contains the first part of a file. */
    abstract static class Spooled {
        final AtomicInteger unused = new AtomicInteger();
        final ResponsePipe pipe = new ResponsePipe(new SegmentPool(8, 64), 16);
        final CountingOutlet outlet = new CountingOutlet(7);
        final SharedFile file = new SharedFile(() -> FILE, unused::incrementAndGet);

        Spooled() {
            append(0, 10);
        }

        final void append(long position, long count) {
            try {
                pipe.append(file, position, count);
            } catch (IOException e) {
                // The pipe has failed and refuses the bytes.
            }
        }

        void drain() {
            try {
                pipe.drainTo(outlet, ResponsePipe.NOTHING);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        String end() {
            while (!pipe.isEmpty()) {
                drain();
            }
            file.release();
            return outlet + (pipe.hasRegions() ? ", regions left" : "") + ", given up " + unused.get();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "30 in order, given up 1", expect = ACCEPTABLE, desc = "every byte is sent once, in order")
    @Outcome(expect = FORBIDDEN, desc = "bytes are lost or sent twice, or the file is released too early or never")
    public static class JoinAgainstDrain extends Spooled {

        @Actor
        public void worker() {
            append(10, 10);
            append(20, 10);
        }

        @Actor
        public void reactor() {
            drain();
            drain();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "given up 1", expect = ACCEPTABLE, desc = "the last user of the file releases it")
    @Outcome(expect = FORBIDDEN, desc = "the file is never released, or released while in use")
    public static class JoinAgainstFailure extends Spooled {

        @Actor
        public void worker() {
            append(10, 10);
            append(40, 10);
        }

        @Actor
        public void reactor() {
            pipe.fail(new IOException("reset"));
        }

        @Arbiter
        public void outcome(L_Result r) {
            file.release();
            r.r1 = "given up " + unused.get();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "given up 1", expect = ACCEPTABLE, desc = "the last user of the file releases it")
    @Outcome(expect = FORBIDDEN, desc = "the file is never released, or released while in use")
    public static class DrainAgainstRelease extends Spooled {

        @Actor
        public void worker() {
            file.release();
        }

        @Actor
        public void reactor() {
            drain();
            drain();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "given up " + unused.get();
        }
    }
}
