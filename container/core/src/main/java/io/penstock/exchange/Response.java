package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ResponsePhase.Client;
import io.penstock.exchange.ResponsePhase.Written;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.http.Status;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.spool.SpoolShare;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One response: its {@link ResponsePhase}, and the way of its bytes into the {@link io.penstock.pipe.ResponsePipe} of its connection. This
 * class is the common part of all protocols. It decides when the head is sent, which bytes may follow, and how the response ends. The
 * subclass for a protocol adds the head, the framing of the body, and the effect of the response's end on the connection. Bytes that an
 * application may still take back are held by a {@link Holder}.
 *
 * <p>Thread: one writer at a time. The callers must ensure that no two threads write at the same time. Any thread may call {@link #abort},
 * {@link #replace}, {@link #informational} and the getters. The end is decided only under the monitor; the thread that has decided it makes
 * the last move without the monitor. No thread holds the monitor while it waits for the client. {@code abort} does not wait, since it only
 * makes the pipe refuse further bytes. Owns: the head until the head is in the pipe.
 */
public abstract class Response implements ResponseSink {

    /** Holds bytes of the body that are not handed over yet. */
    public interface Holder {

        /** The response has been aborted, so the held bytes will never be sent. Any thread. Does not wait. */
        void aborted();
    }

    /** The exchange that the response belongs to. Thread: any. */
    public interface Owner {

        /** The head of the request. */
        RequestHead head();

        ServerResources server();

        /** Whether the exchange counts as streaming, so that its worker may wait for the client. */
        boolean isStreaming();

        /** The history of earlier responses of the same servlet. */
        SpoolHistory history();

        /** The bulkhead's share of the writes to disk; null if no bulkhead limits the writes. */
        @Nullable
        SpoolShare spoolShare();

        /** Whether the request's last byte has arrived. */
        boolean isBodyComplete();

        /** Whether every response closes its connection, because the server stops. */
        boolean isStopping();

        /**
         * Whether this response is sent later, in one write together with the next response. This is possible if the calling thread will
         * create the next response immediately. Called when the end of the response is in the pipe, only if the connection stays open.
         * Thread: the thread that has ended the response.
         */
        boolean leavesWithNext();
    }

    /** The bytes of a file that a writer copies at a time. */
    private static final int COPIED = 64 * 1024;

    private static final AtomicReferenceFieldUpdater<Response, ResponsePhase> PHASE =
            AtomicReferenceFieldUpdater.newUpdater(Response.class, ResponsePhase.class, "phase");

    /** Sends the bytes of the response. */
    protected final ResponseWriter out;

    /** The pipe of {@link #out}. */
    protected final ResponsePipe pipe;

    protected final Owner owner;
    private RequestObserver observer; // changed only by forget()

    // Created by the first write that may need the disk: the memory is full, or the write is longer than a segment.
    // Most responses have no such write. The writer sets this field under the monitor, and reads the field without the
    // monitor. Other threads need the monitor to read this field.
    private @Nullable ResponseSpill spill;
    private boolean nonBlocking;

    @GuardedBy("this")
    private boolean closed;

    // A move that concerns the pipe, and each move to an end, is made under the monitor. The writer makes its other
    // moves by compareAndSet. A method that uses the value only once reads it without the monitor.
    private volatile ResponsePhase phase = ResponsePhase.OPEN;

    // Only the writer uses the head. Other threads only ask whether there is one.
    private @Nullable ResponseHead head;

    private volatile @Nullable Holder holder;

    // The position of the response's first byte among all bytes of its pipe. Set when the head is put into the pipe.
    @GuardedBy("this")
    private long begins;

    // Written once, before the end is decided.
    private volatile @Nullable ConnectionClosed closing;

    protected Response(ResponseWriter out, Owner owner, RequestObserver observer) {
        this.out = out;
        this.pipe = out.pipe();
        this.owner = owner;
        this.observer = observer;
    }

    // ---- the protocol's part

    /** Puts an informational head (1xx) into the pipe. */
    protected abstract void putInformational(int status, Fields fields) throws IOException;

    /**
     * Puts the head into the pipe, and decides how the body is framed.
     *
     * @param length the length of the body; -1 if it is not known
     * @param timing the values for the field {@code Server-Timing}; null if the response has no such field
     * @return the position of the head among all bytes of the pipe
     */
    protected abstract long putHead(ResponseHead newHead, long length, @Nullable ServerTiming timing)
            throws IOException;

    /**
     * As {@link #putHead(ResponseHead, long, ServerTiming)}, but puts the head before the first bytes of the body, into their segment. If
     * the result is false, nothing has been put anywhere: the segment has no room for the head, or the body would be too long.
     *
     * @param body the first bytes of the body; no bytes if the response has none. If the result is true, the bytes to send: the head, and
     *     the body with its framing. The bytes of a body that must not be sent are removed
     * @param last whether the body ends with these bytes
     */
    protected abstract boolean putHead(
            ResponseHead newHead, long length, @Nullable ServerTiming timing, Segment body, boolean last);

    /**
     * Puts the framing around bytes of the body, into their segment, after the head has been sent. Returns false, and changes nothing, if
     * the segment has no room, or if these bytes must not be sent or would make the body too long.
     *
     * @param body the bytes, at least one. If the result is true, the bytes with their framing
     * @param last whether the body ends with these bytes
     */
    protected abstract boolean frame(Segment body, boolean last);

    /**
     * Called before the next {@code count} bytes of the body; {@code count} can be 0. Returns whether these bytes must be sent. The
     * response to a HEAD request has no body, so the result is false for such a response.
     *
     * @throws IOException if the body would be longer than its declared length
     */
    protected abstract boolean beginBytes(long count) throws IOException;

    /**
     * Called when the bytes that {@link #beginBytes} announced are in the pipe, or in the spool file of the response.
     *
     * @param last whether the body ends with these bytes
     */
    protected abstract void endBytes(boolean last) throws IOException;

    /** Ends the body after the bytes that are already in the pipe. */
    protected abstract void endBody(Fields trailers) throws IOException;

    /**
     * Called when the response ends. Returns the cause if the connection must end after this response; null if the connection stays open.
     */
    protected abstract @Nullable ConnectionClosed closingAtEnd();

    /** Whether the response can still be replaced after {@link #putHead}: its head is in the pipe, and can be taken back. */
    protected boolean mayReplaceHead() {
        return true;
    }

    /** Adds framing after the body's bytes, in the pipe or in the spool file. */
    protected final void frame(ByteBuffer bytes) throws IOException {
        if (spill == null) {
            pipe.appendWhole(bytes);
        } else {
            spill.frame(bytes);
        }
    }

    // ---- any thread

    public final ResponsePhase phase() {
        return phase;
    }

    /**
     * Whether status and fields cannot change any more ({@code isCommitted} of an application). A response that was cut is committed if it
     * had its head before.
     */
    public final boolean isCommitted() {
        ResponsePhase now = phase;
        return now.cut ? head != null : now != ResponsePhase.OPEN;
    }

    /** Whether the application has set the final head. */
    public final boolean hasHead() {
        ResponsePhase now = phase;
        return now.cut ? head != null : now.client != Client.NO_HEAD;
    }

    public final boolean isAccepting() {
        return phase.written == Written.ACCEPTED;
    }

    /** Whether the response has ended, successfully or not. A failed connection ends every response. */
    public final boolean isEnded() {
        return phase.isOver() || pipe.hasFailed();
    }

    /** Whether the whole response has been put into the pipe: its own bytes, or the bytes of its replacement. */
    public final boolean isWhole() {
        return phase.whole;
    }

    public final boolean isAborted() {
        return phase.client == Client.INCOMPLETE;
    }

    /**
     * Whether an earlier response in the pipe has not been sent completely. The result is valid only after the head of this response has
     * been put into the pipe.
     */
    public final synchronized boolean isBehindAnother() {
        return pipe.sent() < begins;
    }

    /**
     * The cause if the connection must end after this response; null if the connection stays open. The result is valid only after the
     * response has ended.
     */
    public final @Nullable ConnectionClosed closing() {
        // Read the phase first, since decideEnd() writes the cause before the phase.
        boolean hasEnded = phase.whole;
        ConnectionClosed known = closing;
        return known != null || hasEnded ? known : ConnectionClosed.of(failure());
    }

    private IOException failure() {
        IOException failure = pipe.failure();
        return failure == null ? endedException() : failure;
    }

    // ---- writer

    @Override
    public void informational(int status, Fields fields) throws IOException {
        if (appendInformational(status, fields)) {
            out.workerFlush();
        }
    }

    /**
     * Sends fields of this response ahead of it, with the status 103 (RFC 8297), if the client has taken all earlier bytes of its
     * connection (in HTTP/2, of its stream). Otherwise, and in the cases of {@link #informational}, the call has no effect: no client needs
     * a hint. So the call does not wait for the client, and at most one hint of a response waits in memory. Thread: the writer.
     */
    public final void earlyHints(Fields fields) throws IOException {
        if (!out.isEmpty()) {
            out.workerFlush(); // the end of an earlier response may have been left to be sent with this response
        }
        if (out.isEmpty() && !pipe.hasFailed()) {
            informational(Status.EARLY_HINTS, fields);
        }
    }

    /** Holds the monitor because any thread may call this method, and because no informational head may follow the final head. */
    private synchronized boolean appendInformational(int status, Fields fields) throws IOException {
        if (phase.client != Client.NO_HEAD) {
            return false;
        }
        putInformational(status, fields);
        return true;
    }

    /** Sets the object that holds bytes of the body. Called once, by the writer, before the first byte. */
    public final void holdIn(Holder object) {
        holder = object;
    }

    /** Drops the fields and what has held the body, since an upgraded connection can last for hours. Called by the writer, after the end. */
    final void forget() {
        holder = null;
        observer = RequestObserver.NONE;
        ResponseHead sent = head;
        if (sent != null) {
            head = new ResponseHead(sent.status(), Fields.EMPTY, 0);
        }
    }

    /** Has no effect if the response has been aborted or replaced. */
    @Override
    public final void head(ResponseHead newHead) {
        if (phase.client == Client.NO_HEAD) {
            ResponsePhase now = move(Response::hasNoHead, ResponsePhase::down);
            if (now.client == Client.HEAD_HELD) {
                head = newHead;
                return;
            }
        }
        ResponsePhase now = phase;
        if (!now.cut) {
            throw new IllegalStateException("the head of this response has been set: " + now);
        }
    }

    /** Replaces the head, which is held until the first bytes. */
    public final void changeHead(ResponseHead newHead) {
        assert phase.client != Client.HEAD_SENT : "the head has been sent";
        head = newHead;
    }

    /** The body is complete. Further bytes are ignored. */
    public final void full() {
        move(Response::accepts, ResponsePhase::full);
    }

    /** The application has closed the body. Further bytes are refused, unless the body was complete before. */
    public final void closed() {
        move(Response::accepts, ResponsePhase::closed);
    }

    /** Bytes are ignored, until the response starts over. */
    public final void suspend() {
        move(Response::hasNoHead, now -> ResponsePhase.SUSPENDED);
    }

    /** Bytes are accepted again. */
    public final void startOver() {
        move(Response::hasNoHead, now -> ResponsePhase.OPEN);
    }

    /** The exchange ends. From now on bytes are refused, also behind a body that was complete. */
    public final void refuseBytes() {
        move(now -> now == ResponsePhase.ENDED_FULL, now -> ResponsePhase.ENDED);
    }

    /**
     * A move of the writer that does not concern the pipe. It needs no monitor: any other thread that moves the phase at the same time ends
     * the response. Returns the phase afterwards. If {@code from} does not accept the present phase, this is that phase.
     */
    private ResponsePhase move(Predicate<ResponsePhase> from, UnaryOperator<ResponsePhase> move) {
        while (true) {
            ResponsePhase now = phase;
            if (!from.test(now)) {
                return now;
            }
            ResponsePhase next = move.apply(now);
            if (next == now || PHASE.compareAndSet(this, now, next)) {
                return next;
            }
        }
    }

    private static boolean hasNoHead(ResponsePhase now) {
        return now.client == Client.NO_HEAD;
    }

    private static boolean accepts(ResponsePhase now) {
        return now.written == Written.ACCEPTED;
    }

    @Override
    public Segment segment() {
        return pipe.pool().acquireForOutput();
    }

    @Override
    public int mayHold() {
        return pipe.mayHoldBack();
    }

    @Override
    public void write(Segment segment, boolean last) throws IOException {
        send(segment, last);
    }

    private void send(Segment segment, boolean last) throws IOException {
        prepare(segment);
        switch (handOver(segment, last, HandedOver.RESERVED)) {
            case RESERVED -> sendReserved(segment, last);
            case IN_PIPE -> endOrFlush(true, last);
            case DROPPED -> endOrFlush(false, last);
            case NOT -> endOrFlush(putBehindSpill(segment, last), last);
        }
    }

    @Override
    public void gather(Segment segment) throws IOException {
        prepare(segment);
        if (handOver(segment, false, HandedOver.IN_PIPE) == HandedOver.NOT) {
            putBehindSpill(segment, false);
        }
    }

    private void sendReserved(Segment segment, boolean last) throws IOException {
        try {
            out.workerSend(segment);
        } finally {
            if (last) {
                setEnded();
            }
        }
        if (last) {
            flushEnd();
        } else {
            out.workerFlush();
        }
    }

    /** What {@link #handOver} has done with a segment. */
    private enum HandedOver {
        /** Nothing, since earlier bytes of the response are in its spill. */
        NOT,
        /** The body of this response must not be sent. */
        DROPPED,
        IN_PIPE,
        /** Nothing is to be sent before these bytes. The caller must send the segment past the pipe. */
        RESERVED
    }

    /**
     * Hands over bytes of the body, with their head and framing, in the same segment if it has room. If this method throws, it releases the
     * segment.
     *
     * @param most {@code RESERVED} if the bytes may be sent at once; {@code IN_PIPE} if more bytes follow at once
     */
    private synchronized HandedOver handOver(Segment segment, boolean last, HandedOver most) throws IOException {
        if (spill != null) {
            return HandedOver.NOT;
        }
        boolean owned = true;
        try {
            ByteBuffer bytes = segment.buffer();
            int count = bytes.remaining();
            boolean first = phase.client == Client.HEAD_HELD;
            boolean joined = first ? beginWith(segment, count, last) : joins(segment, count, last);
            if (!joined && !beginBytes(count)) {
                segment.release();
                return HandedOver.DROPPED;
            }
            long position = joined && most == HandedOver.RESERVED ? reserve(bytes.remaining(), last) : -1;
            boolean reserved = position >= 0;
            if (!reserved) {
                owned = false;
                position = pipe.append(segment);
            }
            if (first && joined) {
                begins = position;
            }
            if (!joined) {
                endBytes(last);
            }
            return reserved ? HandedOver.RESERVED : HandedOver.IN_PIPE;
        } catch (IOException | RuntimeException | Error e) {
            if (owned) {
                segment.release();
            }
            throw e;
        }
    }

    /** Puts the head before the first bytes of the body, if their segment has room, and otherwise into the pipe. */
    @GuardedBy("this")
    private boolean beginWith(Segment segment, int count, boolean last) throws IOException {
        boolean joined = sendHead(last ? count : -1, count > 0 || last ? segment : null, last);
        phase = phase.down();
        return joined;
    }

    /** Puts the framing around bytes of the body, if their segment has room. */
    @GuardedBy("this")
    private boolean joins(Segment segment, int count, boolean last) throws IOException {
        if (phase.client != Client.HEAD_SENT) {
            begin(-1); // throws the cause
        }
        return count > 0 && frame(segment, last);
    }

    /**
     * Reserves the link for bytes that nothing is to be sent before. If they are the last bytes, also decides the end of the response.
     *
     * @return the position of the bytes in the output of the connection; -1 if they must go into the pipe
     */
    @GuardedBy("this")
    private long reserve(int count, boolean last) throws IOException {
        ConnectionClosed cause = last ? closingAtEnd() : null;
        if (last && cause == null && owner.leavesWithNext()) {
            return -1;
        }
        long position = out.workerReserve(count);
        if (last && position >= 0) {
            closing = cause;
            phase = phase.down();
        }
        return position;
    }

    /** Returns whether the bytes must be sent. If this method throws, it releases the segment. */
    private boolean putBehindSpill(Segment segment, boolean last) throws IOException {
        boolean sent;
        try {
            sent = begin(segment.buffer().remaining(), last);
        } catch (IOException | RuntimeException | Error e) {
            segment.release();
            throw e;
        }
        if (sent) {
            spill().add(segment);
            endBytes(last);
        } else {
            segment.release();
        }
        return sent;
    }

    /**
     * Must be called before the head and framing are added. The head and framing could use up the room that {@link #isReady} has found. If
     * this method throws, it releases the segment.
     */
    private void prepare(Segment segment) throws IOException {
        try {
            // A late writer must not use the pipe after the end of this response. The room in the pipe is for the next
            // response.
            checkUndecided();
            if (spill != null || pipe.isMemoryFull()) {
                spill().prepare();
            }
        } catch (IOException | RuntimeException | Error e) {
            segment.release();
            throw e;
        }
    }

    /** Returns the spill of this response, and creates it at the first call. */
    private ResponseSpill spill() throws IOException {
        return spill == null ? makeSpill() : spill;
    }

    private synchronized ResponseSpill makeSpill() throws IOException {
        if (closed) {
            // A file that is created after close() would never be removed.
            throw endedException();
        }
        ResponseSpill made = new ResponseSpill(
                owner.server(), owner.spoolShare(), out, owner::isStreaming, owner.history(), observer);
        made.begin(begins);
        if (nonBlocking) {
            made.nonBlocking();
        }
        spill = made;
        return made;
    }

    @Override
    public void write(ByteBuffer source, boolean last) throws IOException {
        boolean sent = begin(source.remaining(), last);
        if (sent) {
            spill().send(source);
            if (!last) {
                out.workerFlush();
                // The framing that follows these bytes is sent together with the next bytes.
                endBytes(false);
                return;
            }
            endBytes(true);
        } else {
            source.position(source.limit());
        }
        endOrFlush(sent, last);
    }

    @Override
    public void write(FileChannel file, long position, long count, boolean last) throws IOException {
        boolean sent;
        try {
            sent = begin(count, last);
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
        if (sent) {
            send(file, position, count);
            endBytes(last);
        } else {
            file.close();
        }
        endOrFlush(sent, last);
    }

    private void send(FileChannel file, long position, long count) throws IOException {
        Runnable counted = out.holdFile();
        if (counted == null) {
            try (file) {
                copy(file, position, position + count);
            }
        } else if (spill == null) {
            pipe.append(file, position, count, counted);
        } else {
            spill.send(file, position, count, counted);
        }
    }

    /** Sends a part of a file that the pipe must not hold, like other bytes of the writer. */
    private void copy(FileChannel file, long position, long end) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(COPIED, end - position));
        for (long at = position; at < end; ) {
            int count = file.read(bytes.clear().limit((int) Math.min(bytes.capacity(), end - at)), at);
            if (count < 0) {
                throw new EOFException("the file ended " + (end - at) + " bytes early");
            }
            at += count;
            spill().send(bytes.flip());
        }
    }

    @Override
    public void flush() throws IOException {
        if (!phase.whole) {
            beginIfHeld();
            writeGathered();
        }
        out.workerFlush();
    }

    @Override
    public void finish(Fields trailers) throws IOException {
        if (phase.decided) {
            return;
        }
        if (phase.client == Client.HEAD_HELD && trailers.size() == 0 && out.isEmpty()) {
            // The head can be sent past the pipe.
            Segment none = segment();
            none.buffer().limit(0);
            send(none, true);
            return;
        }
        begin(0);
        endBody(trailers);
        end();
        flushEnd();
    }

    @Override
    public void nonBlocking() {
        nonBlocking = true;
        if (spill != null) {
            spill.nonBlocking();
        }
    }

    @Override
    public boolean isReady() {
        return pipe.hasRoom();
    }

    @Override
    public void whenReady(Runnable action) {
        pipe.whenRoom(action);
    }

    private void checkUndecided() throws IOException {
        ResponsePhase now = phase;
        if (now.decided) {
            throw now.client == Client.INCOMPLETE ? abortedException() : endedException();
        }
    }

    private synchronized void beginIfHeld() throws IOException {
        if (phase.client == Client.HEAD_HELD) {
            begin(-1);
        }
    }

    /** Puts the head into the pipe before {@code count} bytes of the body. Returns whether these bytes must be sent. */
    private boolean begin(long count, boolean last) throws IOException {
        begin(last ? count : -1);
        return beginBytes(count);
    }

    /**
     * Puts the head into the pipe before the first bytes of the body.
     *
     * @param wholeLength the length of the body if these bytes are the whole body; otherwise -1
     */
    private synchronized void begin(long wholeLength) throws IOException {
        switch (phase) {
            case HELD, HELD_FULL, HELD_CLOSED -> {
                sendHead(wholeLength, null, false);
                phase = phase.down();
            }
            case STREAMING, STREAMING_FULL, STREAMING_CLOSED -> {
                return;
            }
            case OPEN, SUSPENDED, FULL -> throw new IllegalStateException("a response needs its head first");
            case ENDING, ENDING_FULL, ENDED, ENDED_FULL, REPLACED -> throw endedException();
            case ABORTING, ABORTED -> throw abortedException();
        }
    }

    /**
     * Puts the head into the pipe, or before the bytes of {@code body}. Returns whether it is before these bytes. The caller then puts them
     * into the pipe, or sends them.
     */
    @GuardedBy("this")
    private boolean sendHead(long wholeLength, @Nullable Segment body, boolean last) throws IOException {
        ResponseHead newHead = Objects.requireNonNull(head);
        long declared = newHead.contentLength();
        long length = declared >= 0 ? declared : wholeLength;
        int status = newHead.status();
        if (status == Status.RESET_CONTENT) {
            // A response with the status 205 needs a length, in contrast to the status 204 (RFC 9112 section 6.3).
            length = 0;
        }
        ServerTiming timing = observer.responding(status, newHead.fields());
        if (body != null && putHead(newHead, length, timing, body, last)) {
            return true;
        }
        begins = putHead(newHead, length, timing);
        if (spill != null) {
            spill.begin(begins);
        }
        return false;
    }

    private void endOrFlush(boolean sent, boolean last) throws IOException {
        if (last) {
            if (!sent) {
                endBody(Fields.EMPTY);
            }
            end();
            flushEnd();
        } else {
            out.workerFlush();
        }
    }

    private void flushEnd() throws IOException {
        if (closing != null || out.isEmpty() || !owner.leavesWithNext()) {
            out.workerFlush();
        }
    }

    private void end() throws IOException {
        writeGathered();
        decideEnd();
    }

    private void writeGathered() throws IOException {
        if (spill != null) {
            spill.writeGathered();
        }
    }

    private synchronized void decideEnd() throws IOException {
        // The response may have been aborted or replaced during the write.
        checkUndecided();
        closing = closingAtEnd();
        phase = phase.down();
        setEnded();
    }

    /** Called when all bytes of the response are in the pipe, or have been sent. */
    private void setEnded() {
        // responseComplete() must be called before the last move. As soon as the response is over, another thread can
        // add the next response to the pipe.
        out.responseComplete(observer);
        phase = phase.down();
    }

    private static IOException endedException() {
        return new IOException("The response has ended");
    }

    private static IOException abortedException() {
        return new IOException("The response has been aborted");
    }

    // ---- other ends

    /**
     * Replaces this response with {@code whole}. Does nothing if part of this response has been sent, or if this response has ended. The
     * connection ends after {@code whole}. Any thread. Does not wait.
     *
     * @return whether this response was replaced
     */
    public final synchronized boolean replace(int status, ConnectionClosed why, Supplier<Segment> whole)
            throws IOException {
        switch (phase) {
            case OPEN, SUSPENDED, FULL, HELD, HELD_FULL, HELD_CLOSED -> {
                observer.refused(status, why.getMessage());
                observer.responding(status, Fields.EMPTY);
                pipe.append(whole.get());
                // The replacement contains the last bytes of the connection.
                pipe.refuse(endedException());
            }
            case STREAMING, STREAMING_FULL, STREAMING_CLOSED -> {
                if (!mayReplaceHead() || !replaceUnsent(whole.get())) {
                    return false;
                }
                // responding() was already called when the head was put into the pipe.
                observer.refused(status, why.getMessage());
            }
            default -> {
                return false;
            }
        }
        out.responseComplete(observer);
        closing = why;
        phase = ResponsePhase.REPLACED;
        return true;
    }

    /**
     * Replaces the unsent bytes of this response. Earlier responses stay in the pipe. After that, the writer of this response cannot add
     * bytes.
     */
    @GuardedBy("this")
    private boolean replaceUnsent(Segment whole) {
        boolean replaced = pipe.replace(begins, whole, endedException());
        if (!replaced) {
            whole.release();
        }
        return replaced;
    }

    @Override
    public void abort(Throwable cause) {
        synchronized (this) {
            if (phase.decided) {
                return;
            }
            closing = ConnectionClosed.byApplication(cause);
            phase = ResponsePhase.ABORTING;
        }
        observer.aborted(String.valueOf(cause));
        // This call wakes a writer that waits for the client.
        pipe.refuse(refusal(cause));
        phase = ResponsePhase.ABORTED;
        Holder holds = holder;
        if (holds != null) {
            holds.aborted();
        }
    }

    private static IOException refusal(Throwable cause) {
        return cause instanceof ConnectionClosed closed
                ? closed
                : new IOException("The response has been aborted", cause);
    }

    /** The exchange is over. The response's spool file is removed when the client has accepted the file's bytes. Called once. Any thread. */
    public final void close() {
        ResponseSpill made;
        if (phase.client == Client.END_SENT) {
            made = spill; // the writer makes no spill any more
        } else {
            synchronized (this) {
                made = spill;
                closed = true;
            }
        }
        if (made == null) {
            owner.history().didNotWait();
        } else {
            made.close();
        }
        observer.over(isWhole());
    }
}
