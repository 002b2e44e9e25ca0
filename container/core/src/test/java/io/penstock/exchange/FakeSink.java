package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A response sink that keeps the written bytes, and counts the segments that have not been released. */
public final class FakeSink implements ResponseSink {
    public static final int SEGMENT = 64;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<String> calls = new ArrayList<>();
    private ResponseHead head;
    private Fields trailers = Fields.EMPTY;
    private boolean ended;
    private Throwable aborted;
    private int outstanding;
    private long room = Long.MAX_VALUE / 2;
    private int mayHold = SEGMENT;
    private IOException failure;
    private Runnable waiting;

    private final class FakeSegment implements Segment {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(SEGMENT);
        private boolean released;

        @Override
        public ByteBuffer buffer() {
            if (released) {
                throw new AssertionError("the segment is used after its release");
            }
            return buffer;
        }

        @Override
        public void release() {
            if (released) {
                throw new IllegalStateException("the segment is released twice");
            }
            released = true;
            outstanding--;
        }
    }

    // ---- results for the test

    public ResponseHead head() {
        return head;
    }

    public int status() {
        return head.status();
    }

    public String header(String name) {
        return head.fields().first(name);
    }

    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    public byte[] bytes() {
        return bytes.toByteArray();
    }

    /** The calls of this sink. Examples of entries: {@code segment 5 last}, {@code buffer 100}, {@code flush}, {@code finish}. */
    public List<String> calls() {
        return calls;
    }

    public Fields trailers() {
        return trailers;
    }

    public boolean isEnded() {
        return ended;
    }

    public Throwable aborted() {
        return aborted;
    }

    /** The number of segments that have not been released. A write releases its segment. */
    public int outstanding() {
        return outstanding;
    }

    // ---- actions of the test

    /** From now on, the client accepts {@code n} more bytes. */
    public void limitRoom(long n) {
        room = n;
        if (room > 0 && waiting != null) {
            Runnable action = waiting;
            waiting = null;
            action.run();
        }
    }

    /** Sets the result of {@link #mayHold()}. */
    public void mayHold(int bytes) {
        mayHold = bytes;
    }

    /** Simulates that the client has disconnected. */
    public void fail(IOException cause) {
        failure = cause;
    }

    // ---- the methods of the sink

    @Override
    public void informational(int status, Fields fields) {
        calls.add("informational " + status);
    }

    @Override
    public void head(ResponseHead given) {
        if (head != null) {
            throw new AssertionError("a second head was written");
        }
        head = given;
    }

    @Override
    public Segment segment() {
        outstanding++;
        return new FakeSegment();
    }

    @Override
    public int mayHold() {
        return mayHold;
    }

    @Override
    public void write(Segment segment, boolean last) throws IOException {
        ByteBuffer source = segment.buffer();
        byte[] copy = new byte[source.remaining()];
        source.get(copy);
        segment.release();
        take("segment", copy, last);
    }

    @Override
    public void write(ByteBuffer source, boolean last) throws IOException {
        byte[] copy = new byte[source.remaining()];
        source.get(copy);
        take("buffer", copy, last);
    }

    private void take(String kind, byte[] copy, boolean last) throws IOException {
        check();
        calls.add(kind + ' ' + copy.length + (last ? " last" : ""));
        bytes.writeBytes(copy);
        room -= copy.length;
        ended = last;
    }

    @Override
    public void write(FileChannel file, long position, long count, boolean last) throws IOException {
        try (file) {
            check();
            ByteBuffer copy = ByteBuffer.allocate((int) count);
            file.read(copy, position);
            bytes.writeBytes(copy.array());
            calls.add("file " + count + (last ? " last" : ""));
            ended = last;
        }
    }

    private void check() throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (head == null) {
            throw new AssertionError("bytes of the body were written before the head");
        }
        if (ended) {
            throw new AssertionError("bytes were written after the end of the body");
        }
    }

    @Override
    public void flush() throws IOException {
        if (!ended) {
            check();
        }
        calls.add("flush");
    }

    @Override
    public void finish(Fields fields) throws IOException {
        if (ended) {
            return;
        }
        check();
        calls.add("finish");
        trailers = fields;
        ended = true;
    }

    @Override
    public void nonBlocking() {
        calls.add("nonBlocking");
    }

    @Override
    public boolean isReady() {
        return room > 0;
    }

    @Override
    public void whenReady(Runnable action) {
        if (isReady()) {
            action.run();
        } else {
            waiting = action;
        }
    }

    @Override
    public void abort(Throwable cause) {
        aborted = cause;
        ended = true;
    }
}
