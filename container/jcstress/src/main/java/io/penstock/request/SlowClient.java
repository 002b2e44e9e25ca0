package io.penstock.request;

import io.penstock.exchange.ReadySignal;
import io.penstock.exchange.ResponseSink;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@link ResponseSink} for tests that accepts every write. The test decides when the sink is ready for non-blocking writes. */
final class SlowClient implements ResponseSink {
    private static final int SEGMENT = 64;

    private final AtomicInteger received = new AtomicInteger();
    private final ReadySignal ready = new ReadySignal();

    /** A segment whose release has no effect. */
    private record Buffer(ByteBuffer buffer) implements Segment {
        @Override
        public void release() {
            // The garbage collector frees the buffer.
        }
    }

    int received() {
        return received.get();
    }

    /** Makes the sink ready, like a reactor whose client takes bytes again. */
    void becomeReady() {
        ready.becomeReady();
    }

    @Override
    public void whenReady(Runnable action) {
        ready.whenReady(action);
    }

    @Override
    public boolean isReady() {
        return ready.isReady();
    }

    @Override
    public Segment segment() {
        return new Buffer(ByteBuffer.allocate(SEGMENT));
    }

    @Override
    public void write(Segment segment, boolean last) {
        received.addAndGet(segment.buffer().remaining());
    }

    @Override
    public void write(ByteBuffer source, boolean last) {
        received.addAndGet(source.remaining());
        source.position(source.limit());
    }

    @Override
    public void write(FileChannel file, long position, long count, boolean last) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void flush() {
        // This method does nothing, because each write takes effect immediately.
    }

    @Override
    public void nonBlocking() {
        // This method does nothing, because writes never block in this class.
    }

    @Override
    public void informational(int status, Fields fields) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void head(ResponseHead head) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void finish(Fields trailers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void abort(Throwable cause) {
        throw new UnsupportedOperationException();
    }
}
