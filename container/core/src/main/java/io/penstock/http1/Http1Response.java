package io.penstock.http1;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.CloseCause;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ResponseSink;
import io.penstock.exchange.ResponseSpill;
import io.penstock.exchange.ServerTiming;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.http.Status;
import io.penstock.http.Version;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One response on its way into HTTP/1.1: decides its framing when the head leaves, frames the body, and says at the end whether the
 * connection can go on (RFC 9112 sections 6 and 7).
 *
 * <p>Thread: one writer at a time, which the caller sees to; {@link #abort}, {@link #informational} and the getters any. The state changes
 * only under the monitor, which no thread holds while it waits for the client. {@code abort} does not wait: it makes the pipe refuse what a
 * writer adds from then on. Owns the head until it has left.
 *
 * <pre>
 *   OPEN --head--> HELD --first bytes, flush or end--> STREAMING --last--> ENDED
 *      any but ENDED --abort--> ABORTED
 *      OPEN or HELD, or STREAMING with nothing of it on the wire --replace--> REPLACED
 * </pre>
 */
final class Http1Response implements ResponseSink {
    private enum State {
        OPEN,
        HELD,
        STREAMING,
        ENDED,
        ABORTED,
        /** The server has answered in the application's place, which need not know. */
        REPLACED;

        /** Whether nothing that the application does changes anything any more. */
        boolean isDecided() {
            return this == ENDED || this == ABORTED || this == REPLACED;
        }
    }

    /** What a response needs of its connection. */
    interface Channel {

        LinkWriter writer();

        SegmentPool pool();

        HeadWriter newHeadWriter();

        /** Whether every response closes its connection. */
        boolean draining();

        /** The last response is in the pipe: when it has left, the connection ends. The first cause stays. Any thread. */
        void closeAfterResponse(ConnectionClosed cause);

        /** A response is incomplete, and only a reset of the connection can say so. The first cause stays. Any thread. */
        void reset(ConnectionClosed cause);

        /** Ends the connection at once. Takes no memory. Any thread. */
        void fail(Throwable cause);

        /** Calls the reactor, by one of {@link Signals}. Any thread. */
        void signal(int signal);
    }

    private final Channel channel;
    private final LinkWriter out;
    private final ResponseSpill spill;
    private final RequestHead request;
    private final BooleanSupplier bodyComplete;
    private final RequestObserver observer;

    // Written under the monitor; read without it for a single look that nothing has to follow at once.
    private volatile State state = State.OPEN;

    @GuardedBy("this")
    private @Nullable ResponseHead head;

    // Where it begins among all bytes of its connection, once it streams.
    @GuardedBy("this")
    private long begins;

    // The writer's; decided under the monitor as the head leaves. Other threads read the framing once the state, which
    // is set after it, is ABORTED.
    private Framing framing = Framing.UNDECIDED;
    private long remaining;
    private @Nullable CloseCause endsWith; // why the connection cannot be used again, as far as the head tells
    private volatile boolean switches; // the head that has left is 101

    // Written once, as the state says.
    private volatile boolean ended;
    private volatile boolean persists;
    private volatile @Nullable ConnectionClosed closing;

    /** @param bodyComplete whether the request's body has arrived whole */
    Http1Response(
            Channel channel,
            ResponseSpill spill,
            RequestHead request,
            BooleanSupplier bodyComplete,
            RequestObserver observer) {
        this.spill = spill;
        this.observer = observer;
        this.bodyComplete = bodyComplete;
        this.channel = channel;
        this.out = channel.writer();
        this.request = request;
    }

    /** Whether nothing more will come, for good or ill: a connection that has failed ends every response. Any thread. */
    boolean isEnded() {
        return ended || out.pipe().hasFailed();
    }

    /** Whether only a reset can tell the client that this response is incomplete: its end is the end of the connection. */
    boolean needsReset() {
        return isAborted() && framing == Framing.CLOSE;
    }

    /** Whether an earlier response of the connection has not been sent whole. Any thread. */
    synchronized boolean isBehindAnother() {
        return out.pipe().sent() < begins;
    }

    /** Whether all of it has been handed over. Any thread. */
    boolean isWhole() {
        State now = state;
        return now == State.ENDED || now == State.REPLACED;
    }

    /** Whether all of it has been handed over, and what follows on the connection is another protocol. Any thread. */
    boolean hasSwitched() {
        return switches && isWhole() && !out.pipe().hasFailed();
    }

    /** Why the connection must end with this response; null if it goes on. Meaningful once it has ended. */
    @Nullable
    ConnectionClosed closing() {
        if (persists) {
            return null;
        }
        ConnectionClosed known = closing;
        return known == null ? ConnectionClosed.of(failure()) : known;
    }

    private IOException failure() {
        IOException failure = out.pipe().failure();
        return failure == null ? endedException() : failure;
    }

    @Override
    public void informational(int status, Fields fields) throws IOException {
        if (request.version() != Version.HTTP_1_0 && appendInformational(status, fields)) {
            out.workerDrain();
        }
    }

    /** Under the monitor, since another thread than the writer may ask for it: never behind the final head. */
    private synchronized boolean appendInformational(int status, Fields fields) throws IOException {
        if (state != State.OPEN) {
            return false;
        }
        channel.newHeadWriter().informational(status, fields);
        return true;
    }

    @Override
    public synchronized void head(ResponseHead newHead) {
        if (state == State.REPLACED) {
            return;
        }
        if (state != State.OPEN) {
            throw new IllegalStateException("the head of this response has been set: " + state);
        }
        head = newHead;
        state = State.HELD;
    }

    @Override
    public Segment segment() {
        return channel.pool().acquireForOutput();
    }

    @Override
    public void write(Segment segment, boolean last) throws IOException {
        int count = segment.buffer().remaining();
        try {
            checkUndecided(); // after the end, the pipe's room is for the next response, not for a late writer
            spill.prepare(); // before head and chunk line, which could take the room that isReady() has promised
            begin(last ? count : -1);
            count(count);
            if (framing != Framing.NONE && count > 0) {
                openChunk(count);
            }
        } catch (IOException | RuntimeException e) {
            segment.release();
            throw e;
        }
        if (framing == Framing.NONE || count == 0) {
            segment.release();
        } else {
            spill.add(segment);
            closeChunk(last);
        }
        endOrDrain(last, count);
    }

    @Override
    public void write(ByteBuffer source, boolean last) throws IOException {
        int count = source.remaining();
        begin(last ? count : -1);
        count(count);
        if (framing == Framing.NONE) {
            source.position(source.limit());
        } else if (count > 0) {
            openChunk(count);
            spill.send(source);
            closeChunk(last);
        }
        if (last || framing != Framing.CHUNKED) {
            endOrDrain(last, count);
        } // else the chunk's CRLF leaves with whatever comes next
    }

    @Override
    public void write(FileChannel file, long position, long count, boolean last) throws IOException {
        try {
            begin(last ? count : -1);
            count(count);
            if (framing != Framing.NONE && count > 0) {
                openChunk(count);
            }
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
        if (framing == Framing.NONE || count == 0) {
            file.close();
        } else {
            spill.send(file, position, count);
            closeChunk(last);
        }
        endOrDrain(last, count);
    }

    @Override
    public void flush() throws IOException {
        beginIfHeld();
        spill.settle();
        out.workerDrain();
    }

    @Override
    public void finish(Fields trailers) throws IOException {
        if (state.isDecided()) {
            return;
        }
        begin(0);
        if (framing == Framing.CHUNKED) {
            spill.frame(Chunks.end(trailers));
        }
        end();
        out.workerDrain();
    }

    @Override
    public void nonBlocking() {
        spill.nonBlocking();
    }

    @Override
    public boolean isReady() {
        return out.pipe().hasRoom();
    }

    @Override
    public void whenReady(Runnable action) {
        out.pipe().whenRoom(action);
    }

    /**
     * Ends the response with this one in its place, if nothing of it has left; otherwise it stays as it is. The connection ends with
     * it. Any thread; does not wait.
     *
     * @return whether it was replaced
     */
    synchronized boolean replace(int status, ConnectionClosed why, Supplier<Segment> whole) throws IOException {
        switch (state) {
            case OPEN, HELD -> {
                observer.refused(status, why.getMessage());
                observer.responding(status);
                out.pipe().append(whole.get());
                out.pipe().refuse(endedException()); // as below: the connection's last bytes are in
            }
            case STREAMING -> {
                if (!replaceUnsent(whole.get())) {
                    return false;
                }
                observer.refused(status, why.getMessage()); // responding() has been called
            }
            case ENDED, ABORTED, REPLACED -> {
                return false;
            }
        }
        out.responseComplete(observer);
        closing = why;
        state = State.REPLACED;
        ended = true;
        return true;
    }

    /** Earlier responses that the client has not read are still in front of it. The pipe refuses a writer that is under way. */
    @GuardedBy("this")
    private boolean replaceUnsent(Segment whole) {
        boolean replaced = out.pipe().replace(begins, whole, endedException());
        if (!replaced) {
            whole.release();
        }
        return replaced;
    }

    @Override
    public void abort(Throwable cause) {
        synchronized (this) {
            if (state.isDecided()) {
                return;
            }
            state = State.ABORTED;
            closing = ConnectionClosed.byApplication(cause);
        }
        observer.aborted(String.valueOf(cause));
        out.pipe().refuse(refusal(cause)); // wakes a writer that waits for the client
        ended = true;
    }

    private static IOException refusal(Throwable cause) {
        return cause instanceof ConnectionClosed closed
                ? closed
                : new IOException("The response has been aborted", cause);
    }

    /** Whether it has been given up. Any thread. */
    boolean isAborted() {
        return state == State.ABORTED;
    }

    /** The exchange is over: what it has on disk goes as soon as the client has it. Any thread. */
    void close() {
        spill.close();
        observer.over(isWhole());
    }

    private void checkUndecided() throws IOException {
        State now = state;
        if (now.isDecided()) {
            throw now == State.ABORTED ? abortedException() : endedException();
        }
    }

    private synchronized void beginIfHeld() throws IOException {
        if (state == State.HELD) {
            begin(-1);
        }
    }

    /** Lets the head leave ahead of the first body bytes; {@code wholeLength} is the body's length where it is all here. */
    private synchronized void begin(long wholeLength) throws IOException {
        switch (state) {
            case HELD -> {
                sendHead(Objects.requireNonNull(head), wholeLength);
                state = State.STREAMING;
            }
            case STREAMING -> {
                return;
            }
            case OPEN -> throw new IllegalStateException("a response needs its head first");
            case ENDED, REPLACED -> throw endedException();
            case ABORTED -> throw abortedException();
        }
    }

    private static IOException endedException() {
        return new IOException("The response has ended");
    }

    private static IOException abortedException() {
        return new IOException("The response has been aborted");
    }

    @GuardedBy("this")
    private void sendHead(ResponseHead newHead, long wholeLength) throws IOException {
        long declared = newHead.contentLength();
        long length = declared >= 0 ? declared : wholeLength;
        int status = newHead.status();
        if (status == Status.RESET_CONTENT) {
            length = 0; // unlike a 204, it is read by its length (RFC 9112 section 6.3)
        }
        decideFraming(newHead, status, length);
        ServerTiming timing = observer.responding(status);
        begins = channel.newHeadWriter().send(request, newHead, timing, framing, length, endsWith == null);
        spill.begin(begins);
    }

    private void decideFraming(ResponseHead newHead, int status, long length) {
        framing = Framing.of(request, status, length);
        remaining = length;
        switches = status == Status.SWITCHING_PROTOCOLS;
        endsWith = switches
                ? CloseCause.UPGRADE_ENDED
                : Persistence.endsWith(
                        request, newHead, framing != Framing.CLOSE, bodyComplete.getAsBoolean(), channel.draining());
    }

    private void count(long bytes) throws IOException {
        if (framing == Framing.LENGTH) {
            if (bytes > remaining) {
                throw new IOException("The response body is longer than its Content-Length");
            }
            remaining -= bytes;
        }
    }

    private void openChunk(long size) throws IOException {
        if (framing == Framing.CHUNKED) {
            spill.frame(Chunks.open(size));
        }
    }

    private void closeChunk(boolean last) throws IOException {
        if (framing == Framing.CHUNKED) {
            spill.frame(Chunks.close(last));
        }
    }

    private void endOrDrain(boolean last, long count) throws IOException {
        if (last) {
            if (count == 0 && framing == Framing.CHUNKED) {
                spill.frame(Chunks.end());
            }
            end();
        }
        out.workerDrain();
    }

    private void end() throws IOException {
        spill.settle();
        decideEnd();
    }

    private synchronized void decideEnd() throws IOException {
        checkUndecided(); // it may have been aborted or replaced while the writer was at it
        boolean whole = framing != Framing.LENGTH || remaining == 0;
        CloseCause ends = Persistence.endsAfter(endsWith, whole, bodyComplete.getAsBoolean());
        closing = ends == null ? null : new ConnectionClosed(ends);
        persists = ends == null;
        state = State.ENDED;
        out.responseComplete(observer); // before anybody can add the next response to the pipe
        ended = true;
    }
}
