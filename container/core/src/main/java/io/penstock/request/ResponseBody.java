package io.penstock.request;

import io.penstock.exchange.ResponseSink;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import io.penstock.request.BodyState.Phase;
import io.penstock.session.SessionNotSavedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects the bytes of a response body in a buffer, and hands them over to a {@link ResponseSink}. If the whole body fits into the buffer,
 * the body is sent in one write when the exchange ends, and the head has the body's length. If the body is larger, the head is sent when
 * the buffer is full. A flush or a close sends the held bytes at once.
 *
 * <p>The buffer has the size that {@code getBufferSize} returns. While the server has enough memory, the buffer may hold more bytes: as
 * many as {@link ResponseSink#mayHold} allows.
 *
 * <p>Thread: the thread that holds the write lock of {@link ResponseBuffer}. During a hand-over, listeners and suppliers of the application
 * may run. They may call this object again on the same thread.
 *
 * <p>Owns: each segment from {@link ResponseSink#segment()} to the hand-over. Each segment is handed over or released exactly once, even
 * after a failure.
 */
final class ResponseBody {

    /** Supplies the head when the response is committed, and the trailers at the end. */
    interface HeadSource {
        /**
         * Called before the head or the end is sent. The implementation saves the sessions: a client that has received the head or the end
         * may send its next request at once, and that request must find the changes.
         *
         * @throws SessionNotSavedException if the head or the end must not be sent. If the head has not been sent yet, another response is
         *     possible
         */
        void beforeSending();

        /**
         * Returns the final head. From then on the response is committed. {@code length} is the length of the body, or -1 if the head gets
         * no length.
         */
        ResponseHead commit(long length);

        boolean hasTrailers();

        Fields trailers();

        /**
         * Whether the protocol sends no body with the response, for example in a response to HEAD. In this case the declared length can
         * differ from the number of bytes written.
         */
        boolean isBodiless();
    }

    private final ResponseSink sink;
    private final HeadSource head;
    private final BodyState state;
    private final HeldSegments held;
    private int capacity;
    private long written;
    private long declared = -1;
    private @Nullable PendingWrites pending;

    ResponseBody(ResponseSink sink, HeadSource head, BodyState state, int capacity) {
        this.sink = sink;
        this.head = head;
        this.state = state;
        this.held = new HeldSegments(sink);
        this.capacity = capacity;
    }

    // ---- bytes

    void write(byte[] source, int offset, int length) throws IOException {
        int from = offset;
        int left = accept(length);
        while (left > 0) {
            int n = held.put(source, from, left, capacity);
            written += n;
            from += n;
            left -= n;
            if (n == 0) {
                handOver();
                // If the remaining bytes would fill the buffer, copying them has no advantage.
                if (!held.fits(left + 1, capacity)) {
                    written += left;
                    handOverUnheld(source, from, left);
                    break;
                }
            }
        }
        fillIfComplete();
    }

    /**
     * Writes the bytes of {@code source}. If they do not fit, the held bytes are handed over first, and then {@code source} itself, without
     * a copy.
     */
    void write(ByteBuffer source) throws IOException {
        int accepted = accept(source.remaining());
        int end = source.limit();
        int ignored = source.remaining() - accepted;
        source.limit(end - ignored);
        try {
            while (source.hasRemaining()) {
                if (!held.fits(source.remaining(), capacity)) {
                    written += source.remaining();
                    handOver();
                    if (pending == null) {
                        sink.write(source, false);
                    } else {
                        pending.add(source);
                    }
                    break;
                }
                int n = held.put(source, capacity);
                written += n;
                if (n == 0) {
                    handOver();
                }
            }
            fillIfComplete();
        } finally {
            if (ignored > 0) {
                source.limit(end);
                source.position(end);
            }
        }
    }

    void write(int b) throws IOException {
        if (accept(1) == 0) {
            return;
        }
        while (!held.put((byte) b, capacity)) {
            handOver();
        }
        written++;
        fillIfComplete();
    }

    void write(FileChannel file, long position, long count) throws IOException {
        if (!state.isOpen() || written > 0 || pending != null) {
            throw new IllegalStateException("A file can be sent only if the response is not committed and has no body");
        }
        written = count;
        boolean last = !head.hasTrailers() && !state.isEndDeferred();
        state.fill();
        commit(count);
        if (last) {
            state.move(Phase.SENT);
        }
        sink.write(file, position, count, last);
        if (!last) {
            sink.flush();
        }
    }

    /** Returns how many of {@code length} bytes are accepted. Bytes beyond the declared length, or after sendError, are ignored. */
    private int accept(int length) throws IOException {
        if (!state.takesBytes()) {
            return 0;
        }
        return declared < 0 ? length : (int) Math.min(length, declared - written);
    }

    // ---- for the application

    void flush() throws IOException {
        if (state.isOpen()) {
            handOver();
            flushSink();
        } else {
            sendFilled();
        }
    }

    void close() throws IOException {
        if (!state.isOpen()) {
            sendFilled();
        } else if (pending == null && !state.isEndDeferred()) {
            beforeTheEnd();
            sendEnd(Phase.ENDED);
            // The end is sent now, since the application may run for a long time after the close.
            sink.flush();
        } else {
            sendAllButTheEnd();
            state.move(Phase.CLOSED);
        }
    }

    void end() throws IOException {
        if (state.isOpen()) {
            fill();
        }
    }

    void reset() {
        forgetHeld();
        state.move(Phase.OPEN);
    }

    void suspend() {
        forgetHeld();
        state.move(Phase.SUSPENDED);
    }

    private void forgetHeld() {
        if (state.isOnTheWire()) {
            throw new IllegalStateException("The response is committed");
        }
        held.release();
        written = 0;
    }

    /**
     * Declares the length of the body; -1 withdraws the declaration. Has no effect if more than {@code length} bytes have been written
     * already, since a late declaration must not cut off held bytes.
     */
    void declare(long length) throws IOException {
        if (length < 0 || length >= written) {
            declared = length;
            fillIfComplete();
        }
    }

    void undeclare() {
        declared = -1;
    }

    /** The declared length, or -1. */
    long declared() {
        return declared;
    }

    void resize(int size) {
        if (written > 0 || state.isOnTheWire()) {
            throw new IllegalStateException("The buffer size cannot change after content has been written");
        }
        capacity = Math.max(size, capacity);
    }

    int capacity() {
        return capacity;
    }

    /** Makes writes non-blocking. Bytes that the sink cannot take at once are kept in the returned object. */
    PendingWrites nonBlocking() {
        PendingWrites kept = pending == null ? new PendingWrites(sink) : pending;
        pending = kept;
        sink.nonBlocking();
        return kept;
    }

    // ---- for the container

    /** Sends the held bytes, and ends the response. */
    void complete() throws IOException {
        try {
            if (!state.isAborted()) {
                switch (state.phase()) {
                    case OPEN, COMMITTED, SUSPENDED, FILLED, FILLED_COMMITTED, CLOSED -> sendEnd(Phase.ENDED);
                    case SENT -> state.move(Phase.ENDED);
                    case ENDED, FAILED -> {
                        // The end has been sent, or a hand-over has failed and the end cannot be sent.
                    }
                }
            }
        } finally {
            held.release();
        }
    }

    /**
     * Called when an operation has thrown {@code thrown}. After a failed hand-over no more bytes can be sent, so the response is aborted.
     * If the application's call was illegal, or if the head must not be sent, nothing changes.
     */
    void failed(Exception thrown) {
        boolean misuse = thrown instanceof IllegalStateException || thrown instanceof RefusedWriteException;
        boolean heldBack = thrown instanceof SessionNotSavedException && !state.isOnTheWire();
        if (!misuse && !heldBack && state.fail(thrown)) {
            held.release();
            sink.abort(thrown);
        }
    }

    /** Releases the bytes that have not been handed over, since the response has been aborted. */
    void release() {
        held.release();
        if (pending != null) {
            pending.drop();
        }
    }

    // ---- hand-over

    private void commit(long length) {
        if (!state.isOnTheWire()) {
            head.beforeSending();
            state.commit();
            sink.head(head.commit(declared < 0 ? shown(length) : declared));
        }
    }

    /**
     * Returns the length for the head. If the protocol sends no body and the application has written none, the head has no length.
     * Otherwise a response to HEAD could have the length 0, although the response to GET has another length.
     */
    private long shown(long length) {
        return length == 0 && head.isBodiless() ? -1 : length;
    }

    /** Hands over the head, if it has not been handed over yet, and the held bytes. */
    private void handOver() throws IOException {
        commit(-1);
        for (Segment segment = held.poll(); segment != null; segment = held.poll()) {
            if (pending == null) {
                handOver(segment, false);
            } else {
                pending.add(segment);
            }
        }
    }

    /** @param last whether the response ends with the held bytes */
    private void handOver(Segment segment, boolean last) throws IOException {
        if (held.isEmpty()) {
            sink.write(segment, last);
        } else {
            sink.gather(segment);
        }
    }

    /**
     * Hands over the remaining bytes of a large array. In blocking mode the sink gets the array itself. In non-blocking mode the bytes are
     * copied, since the caller may reuse the array after this call.
     */
    private void handOverUnheld(byte[] source, int from, int length) throws IOException {
        if (pending == null) {
            sink.write(ByteBuffer.wrap(source, from, length), false);
        } else {
            pending.add(ByteBuffer.wrap(Arrays.copyOfRange(source, from, from + length)));
        }
    }

    private void flushSink() throws IOException {
        if (pending == null) {
            sink.flush();
        } else {
            pending.flush();
        }
    }

    private void fillIfComplete() throws IOException {
        if (declared > 0 && written >= declared && state.isOpen()) {
            fill();
        }
    }

    /**
     * Marks the body as complete. The body is not sent yet: filters, listeners and the session store run after the servlet, and must have
     * run before the client sends its next request.
     */
    private void fill() throws IOException {
        state.fill();
        // In non-blocking mode bytes are sent as soon as the client can receive them, so the body is not held back.
        if (pending != null) {
            sendAllButTheEnd();
        }
    }

    /** Sends a complete body before the end of the exchange, since the application has flushed or closed the response. */
    private void sendFilled() throws IOException {
        if (!state.isFilled() || pending != null || state.isAborted()) {
            return;
        }
        if (state.isEndDeferred()) {
            sendAllButTheEnd();
        } else {
            beforeTheEnd();
            sendEnd(Phase.SENT);
            sink.flush();
        }
    }

    private void beforeTheEnd() {
        // If the head has not been sent yet, commit() calls beforeSending().
        if (state.isOnTheWire()) {
            head.beforeSending();
        }
    }

    private void sendAllButTheEnd() throws IOException {
        beforeTheEnd();
        if (!head.hasTrailers()) {
            commit(written);
        }
        handOver();
        flushSink();
    }

    /** Sends the held bytes and the end, in one write if the whole body is held. */
    private void sendEnd(Phase after) throws IOException {
        boolean trailers = head.hasTrailers();
        commit(trailers ? -1 : written);
        state.move(after);
        boolean complete = declared < 0 || written >= declared || head.isBodiless();
        boolean last = complete && !trailers && !held.isEmpty();
        boolean sent = false;
        try {
            sendEnd(complete, last);
            sent = true;
        } finally {
            // After an exception, for example from the application's supplier of trailers, the end is not sent any
            // more.
            if (!sent) {
                sink.abort(new IOException("The end of the response could not be sent"));
            }
        }
    }

    private void sendEnd(boolean complete, boolean last) throws IOException {
        for (Segment segment = held.poll(); segment != null; segment = held.poll()) {
            handOver(segment, last);
        }
        if (!complete) {
            sink.abort(new IOException("The application declared " + declared + " bytes and wrote " + written));
        } else if (!last) {
            sink.finish(head.trailers());
        }
    }
}
