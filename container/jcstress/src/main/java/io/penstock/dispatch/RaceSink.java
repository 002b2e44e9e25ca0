package io.penstock.dispatch;

import io.penstock.exchange.ResponseSink;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A {@link ResponseSink} for tests. It counts events that must happen once (head, end) and events that must not happen (abort, unreleased
 * segment).
 */
final class RaceSink implements ResponseSink {
    private static final int SEGMENT = 512;

    private final AtomicInteger heads = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicInteger aborts = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();

    /** A buffer that is counted until its release. A second release makes the count negative. */
    private final class Counted implements Segment {
        private final ByteBuffer buffer = ByteBuffer.allocate(SEGMENT);

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public void release() {
            held.decrementAndGet();
        }
    }

    String state() {
        boolean once = heads.get() == 1 && ends.get() == 1 && aborts.get() == 0 && held.get() == 0;
        return once
                ? "answered once"
                : "heads " + heads + ", ends " + ends + ", aborts " + aborts + ", segments held " + held;
    }

    @Override
    public void informational(int status, Fields fields) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void head(ResponseHead head) {
        heads.incrementAndGet();
    }

    @Override
    public Segment segment() {
        held.incrementAndGet();
        return new Counted();
    }

    @Override
    public void write(Segment segment, boolean last) {
        segment.release();
        end(last);
    }

    @Override
    public void write(ByteBuffer source, boolean last) {
        source.position(source.limit());
        end(last);
    }

    @Override
    public void write(FileChannel file, long position, long count, boolean last) throws IOException {
        file.close();
        end(last);
    }

    private void end(boolean last) {
        if (last) {
            ends.incrementAndGet();
        }
    }

    @Override
    public void flush() {
        // This method does nothing, because each write takes effect immediately.
    }

    @Override
    public void finish(Fields trailers) {
        // This call has no effect if the end was already counted.
        ends.compareAndSet(0, 1);
    }

    @Override
    public void nonBlocking() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void whenReady(Runnable action) {
        action.run();
    }

    @Override
    public void abort(Throwable cause) {
        aborts.incrementAndGet();
    }
}
