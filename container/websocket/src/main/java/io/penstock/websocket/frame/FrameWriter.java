package io.penstock.websocket.frame;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.part.UpgradedConnection.Figure;
import io.penstock.websocket.frame.EncodedMessage.Frame;
import io.penstock.websocket.frame.FrameConnection.Side;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the frames of a connection in the order of the calls. Frames that the transport does not take at once wait in a queue. Its size in
 * memory is limited to about {@link #MAX_QUEUED}: beyond it, a sender waits for the disk, and when the disk takes no more, sends fail. Without
 * a disk, they fail beyond {@link #MAX_QUEUED_WITHOUT_DISK}.
 *
 * <p>At most one thread at a time passes frames to the transport (the drainer). This is the sender that finds no other drainer, or a thread
 * of {@link Transport#work}. A thread that finds a drainer need not wait for it, because the drainer looks for further frames when it has
 * passed one. Results are called by threads that are not the drainer, so that they can send.
 *
 * <p>Thread: any.
 */
final class FrameWriter {
    /** The most bytes in memory that wait for the transport. One further message is taken below this size, however large. */
    static final int MAX_QUEUED = 256 * 1024;

    /** The same if writes wait for the peer: there is no disk then, so the queue has all that the peer is behind. */
    static final int MAX_QUEUED_WITHOUT_DISK = 16 * 1024 * 1024;

    /** An estimate of the heap bytes of a frame in the queue, without its own bytes. Small messages need little else. */
    private static final int OBJECTS_OF_FRAME = 256;

    /** Small frames that wait are passed to the transport together, up to this size. */
    private static final int GATHERED = 16 * 1024;

    /** The same for frames that probably go to disk, since a write to disk costs more than a copy. */
    private static final int GATHERED_FOR_DISK = 128 * 1024;

    /** The masks that are made at a time. */
    private static final int MASKS = 32;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** What became of an attempt to pass a frame to the transport. */
    private enum Step {
        /** No frame waits. */
        EMPTY,
        /** Another thread is the drainer. */
        BUSY,
        TAKEN,
        /** The transport has not taken all of the frame. */
        NO_ROOM
    }

    /** Whether the frames in the queue are taken care of. */
    private enum Drain {
        /** The next sender is the drainer. */
        BY_SENDER,
        /** A job of {@link Transport#work} will drain. */
        BY_JOB,
        /** The transport, including its disk, has no room. A job will drain when it has. */
        WHEN_ROOM,
        /** As {@code WHEN_ROOM}, but a sender that is the drainer waits for the room, and drains then. */
        AWAITED
    }

    /** What a frame is for the peer. */
    private enum Role {
        /** A whole message, a ping or a pong. */
        WHOLE,
        /** A part of a message. Without it, the peer would take the other parts for the message. */
        PART,
        /** The close frame. */
        CLOSE
    }

    /** A frame in the queue. */
    private static final class Waiting {
        final ByteBuffer head;
        final ByteBuffer payload;
        final Role role;
        SendResult result;

        /** Whether the transport has taken a part of the frame, so that the frame cannot be removed. */
        boolean begun;

        /** Whether the drainer is passing the frame to the transport. */
        boolean passing;

        /** Whether the frame has left the queue. */
        boolean gone;

        @Nullable
        Waiting next;

        @Nullable
        Future<?> timeout;

        Waiting(Frame frame, SendResult result, Role role) {
            this.head = frame.head().duplicate();
            this.payload = frame.payload().duplicate();
            this.result = result;
            this.role = role;
        }

        int size() {
            return head.remaining() + payload.remaining();
        }

        /** Counts bytes as taken. Returns how many of them were not of this frame. */
        int advance(int taken) {
            int ofHead = Math.min(taken, head.remaining());
            head.position(head.position() + ofHead);
            int ofPayload = Math.min(taken - ofHead, payload.remaining());
            payload.position(payload.position() + ofPayload);
            return taken - ofHead - ofPayload;
        }
    }

    /** The result for a thread that waits for it. */
    private final class Awaited implements SendResult {
        private boolean done;
        private @Nullable Throwable failure;

        @Override
        public void done(@Nullable Throwable cause) {
            synchronized (FrameWriter.this) {
                done = true;
                failure = cause;
                FrameWriter.this.notifyAll(); // the sender
            }
        }

        boolean isDone() {
            synchronized (FrameWriter.this) {
                return done;
            }
        }

        void check() throws IOException {
            Throwable cause;
            synchronized (FrameWriter.this) {
                cause = failure;
            }
            if (cause != null) {
                throw new IOException(cause.getMessage(), cause);
            }
        }
    }

    private final Side side;
    private final Transport transport;
    private final @Nullable Compression compression;
    private final Runnable whenClosed;
    private final Consumer<IOException> whenTimedOut;

    private volatile boolean batching;
    private volatile long lastSent = System.nanoTime();

    @GuardedBy("this")
    private @Nullable Waiting first;

    @GuardedBy("this")
    private @Nullable Waiting last;

    @GuardedBy("this")
    private long queued;

    /** The frames in the queue. */
    @GuardedBy("this")
    private int frames;

    @GuardedBy("this")
    private boolean draining;

    /** Why the transport takes no more; null if it does. */
    @GuardedBy("this")
    private @Nullable IOException failure;

    @GuardedBy("this")
    private Drain drain = Drain.BY_SENDER;

    /** The kind of the message whose parts are being sent; CONTINUATION for none. */
    @GuardedBy("this")
    private int partsOf = FrameReader.CONTINUATION;

    /** The last pong in the queue that nothing has been sent of. */
    @GuardedBy("this")
    private @Nullable Waiting pong;

    /** Whether the close frame, which is the last one, is or was in the queue. */
    @GuardedBy("this")
    private boolean closing;

    /** Masks for the next frames of a client. */
    @GuardedBy("this")
    private ByteBuffer masks = NOTHING;

    /**
     * @param whenClosed is called when the transport has taken the close frame
     * @param whenTimedOut aborts the connection, because a message was sent only in part in its time
     */
    FrameWriter(
            Side side,
            Transport transport,
            @Nullable Compression compression,
            Runnable whenClosed,
            Consumer<IOException> whenTimedOut) {
        this.side = side;
        this.transport = transport;
        this.compression = compression;
        this.whenClosed = whenClosed;
        this.whenTimedOut = whenTimedOut;
    }

    void batching(boolean allowed) {
        batching = allowed;
    }

    boolean isBatching() {
        return batching;
    }

    /** When the transport has taken the last frame, by {@link System#nanoTime}. */
    long lastSent() {
        return lastSent;
    }

    /** The bytes of frames that the transport has not taken. */
    synchronized long queuedBytes() {
        return queued;
    }

    /** Refuses further frames, and fails those in the queue. */
    void fail(IOException cause) {
        Waiting failed;
        synchronized (this) {
            failed = refuse(cause);
        }
        report(failed, cause);
    }

    /** Refuses further frames, and empties the queue. Returns its first frame, to be reported without the lock. */
    @GuardedBy("this")
    private @Nullable Waiting refuse(IOException cause) {
        failure = failure == null ? cause : failure;
        Waiting failed = first;
        for (Waiting at = failed; at != null; at = at.next) {
            at.gone = true;
            cancel(at.timeout);
        }
        first = null;
        last = null;
        pong = null;
        queued = 0;
        frames = 0;
        notifyAll(); // threads that wait for the drainer
        return failed;
    }

    private static void report(@Nullable Waiting failed, IOException cause) {
        for (Waiting at = failed; at != null; at = at.next) {
            at.result.done(cause);
        }
    }

    private static void cancel(@Nullable Future<?> task) {
        if (task != null) {
            task.cancel(false);
        }
    }

    // ---- sends

    /**
     * Sends a message. Never waits for the peer.
     *
     * @param timeoutMillis how long the message may wait for the transport, then it fails; 0 for no limit. If a part of the message has been
     *     sent, the connection ends, too
     * @param result is called once
     * @throws IllegalStateException if the message is none of the message whose parts are being sent
     */
    void send(EncodedMessage message, long timeoutMillis, SendResult result) {
        Waiting waiting;
        boolean held;
        try {
            synchronized (this) {
                waiting = append(message, result);
                held = batching && queued < GATHERED;
                if (held) {
                    waiting.result = SendResult.IGNORED;
                }
            }
        } catch (IOException e) {
            result.done(e);
            return;
        }
        if (held) {
            result.done(null); // a message in the batch counts as sent (RemoteEndpoint#setBatchingAllowed)
            return;
        }
        pump();
        if (timeoutMillis > 0) {
            setTimeout(waiting, timeoutMillis);
        }
        helpDrain();
    }

    private synchronized void setTimeout(Waiting waiting, long millis) {
        if (!waiting.gone) {
            waiting.timeout = transport.after(millis, () -> transport.work(() -> expire(waiting, notSentIn(millis))));
        }
    }

    private void expire(Waiting waiting, String reason) {
        IOException cause = new IOException(reason);
        boolean removed;
        Waiting failed = null;
        synchronized (this) {
            if (waiting.gone) {
                return; // it has just been sent
            }
            removed = isRemovable(waiting);
            if (removed) {
                remove(waiting);
                notifyAll(); // senders that wait for the disk
            } else {
                // Under the same lock: if the frame were sent meanwhile, the connection would end for nothing.
                failed = refuse(cause);
            }
        }
        if (removed) {
            waiting.result.done(cause);
        } else {
            report(failed, cause);
            whenTimedOut.accept(cause);
        }
    }

    /**
     * Whether the peer would notice nothing without the frame: no byte of it has been taken, and no other frame depends on it. Later messages
     * depend on one that was compressed with context.
     */
    @GuardedBy("this")
    private boolean isRemovable(Waiting waiting) {
        return !waiting.gone
                && !waiting.begun
                && !waiting.passing
                && waiting.role != Role.PART
                && (compression == null || compression.isShareable());
    }

    /**
     * Sends a message, and waits until the transport has taken it, but at most {@code timeoutMillis}; 0 for no limit. When the time has
     * passed and a part of the message has been sent, the connection ends.
     *
     * @throws IOException if the connection is closed or ends, or if the time has passed
     * @throws IllegalStateException as {@link #send}
     */
    void sendAndWait(EncodedMessage message, long timeoutMillis) throws IOException {
        Awaited awaited = new Awaited();
        Waiting waiting;
        synchronized (this) {
            waiting = append(message, awaited);
            if (batching && queued < GATHERED) {
                waiting.result = SendResult.IGNORED;
                return;
            }
        }
        long began = System.nanoTime();
        long most = timeoutMillis > 0 ? TimeUnit.MILLISECONDS.toNanos(timeoutMillis) : Long.MAX_VALUE;
        if (timeoutMillis > 0 && transport.writesWaitForPeer()) {
            setTimeout(waiting, timeoutMillis); // this thread could not look at the time
        }
        try {
            while (!awaited.isDone()) {
                long left = most - (System.nanoTime() - began);
                if (left <= 0) {
                    expire(waiting, notSentIn(timeoutMillis));
                    break;
                }
                switch (step(true)) {
                    case TAKEN -> {
                        // Goes on until the own frame has been taken.
                    }
                    case EMPTY, BUSY -> awaitDrainer(awaited, left);
                    case NO_ROOM -> awaitRoom(left);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            // The message must not leave later: the caller has been told of a failure, and may use its buffer again.
            expire(waiting, "Interrupted while waiting for another sender");
        }
        pump(); // the frames of other threads, behind the own one
        awaited.check();
    }

    private static String notSentIn(long millis) {
        return "The message was not sent in " + millis + " ms";
    }

    /** Waits for another thread that is the drainer. */
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    private synchronized void awaitDrainer(Awaited awaited, long nanos) throws InterruptedException {
        if (!awaited.done && (draining || first == null)) {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos))); // woken by the drainer, or by the result
        }
    }

    /** Waits until the transport has room. The thread keeps the role of the drainer, since only one can wait. */
    private void awaitRoom(long nanos) throws IOException {
        synchronized (this) {
            if (draining) {
                return;
            }
            draining = true;
            drain = Drain.AWAITED;
            notifyAll(); // senders that wait for the disk
        }
        try {
            transport.awaitRoom(nanos);
        } catch (IOException e) {
            fail(e);
            transport.close();
        } finally {
            synchronized (this) {
                draining = false;
                drain = Drain.BY_SENDER;
                notifyAll(); // another thread can drain
            }
        }
    }

    /** Sends the messages that wait because of {@link #batching}. Does not wait for the peer. */
    void flush() throws IOException {
        checkOpen();
        pump();
    }

    /** @throws IOException if the connection is closed, or the queue is full */
    void sendControl(int opcode, ByteBuffer payload) throws IOException {
        if (payload.remaining() > FrameReader.LARGEST_CONTROL) {
            throw new IllegalArgumentException(
                    "A ping or pong has at most " + FrameReader.LARGEST_CONTROL + " bytes, not " + payload.remaining());
        }
        synchronized (this) {
            checkRoom();
            append(own(FrameReader.FIN | opcode, payload), SendResult.IGNORED, Role.WHOLE);
        }
        pump();
    }

    /**
     * Sends a pong. A pong that still waits is replaced, because only the last ping must be answered (section 5.5.3). So the pings of a peer
     * that reads no pongs need no memory.
     */
    void answerPing(ByteBuffer payload) {
        synchronized (this) {
            if (closing || failure != null) {
                return;
            }
            Waiting before = pong;
            if (before != null && isRemovable(before)) {
                remove(before);
            }
            pong = append(own(FrameReader.FIN | FrameReader.PONG, payload), SendResult.IGNORED, Role.WHOLE);
        }
        pump();
    }

    /** Sends the last frame. */
    void close(ByteBuffer payload) {
        synchronized (this) {
            if (closing || failure != null) {
                return;
            }
            closing = true;
            append(own(FrameReader.FIN | FrameReader.CLOSE, payload), SendResult.IGNORED, Role.CLOSE);
        }
        pump();
    }

    /** The connection has ended. */
    void end() {
        fail(new IOException("The connection has ended"));
    }

    private synchronized void checkOpen() throws IOException {
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (closing) {
            throw new IOException("The WebSocket connection is closed");
        }
    }

    // ---- the queue

    @GuardedBy("this")
    private void checkRoom() throws IOException {
        checkOpen();
        if (isFull()) {
            throw new IOException("The peer does not read, and its queue of messages is full");
        }
    }

    @GuardedBy("this")
    private boolean isFull() {
        long held = queued + (long) frames * OBJECTS_OF_FRAME;
        return transport.writesWaitForPeer() ? held >= MAX_QUEUED_WITHOUT_DISK : held >= MAX_QUEUED && hasNoRoom();
    }

    @GuardedBy("this")
    private boolean hasNoRoom() {
        return drain == Drain.WHEN_ROOM || drain == Drain.AWAITED;
    }

    @GuardedBy("this")
    private Waiting append(EncodedMessage message, SendResult result) throws IOException {
        checkOpen();
        if (!(result instanceof Awaited)) {
            checkRoom();
        }
        Role role = message.extent() == EncodedMessage.Extent.WHOLE ? Role.WHOLE : Role.PART;
        return append(frame(message), result, role);
    }

    @GuardedBy("this")
    private Waiting append(Frame frame, SendResult result, Role role) {
        Waiting added = new Waiting(frame, result, role);
        if (last == null) {
            first = added;
        } else {
            last.next = added;
        }
        last = added;
        queued += added.size();
        frames++;
        transport.count(Figure.FRAMES_SENT, 1);
        return added;
    }

    @GuardedBy("this")
    private void remove(Waiting waiting) {
        Waiting before = null;
        for (Waiting at = first; at != null; before = at, at = at.next) {
            if (at == waiting) {
                queued -= at.size();
                unlink(before, at);
                return;
            }
        }
    }

    @GuardedBy("this")
    private void unlink(@Nullable Waiting before, Waiting at) {
        frames--;
        if (before == null) {
            first = at.next;
        } else {
            before.next = at.next;
        }
        if (last == at) {
            last = before;
        }
        if (pong == at) {
            pong = null;
        }
        at.gone = true;
        at.next = null;
    }

    /** The frame of a message for this connection. */
    @GuardedBy("this")
    private Frame frame(EncodedMessage message) {
        EncodedMessage.Extent extent = message.extent();
        boolean whole = extent == EncodedMessage.Extent.WHOLE;
        if (partsOf != FrameReader.CONTINUATION && (whole || partsOf != message.kind())) {
            throw new IllegalStateException("Another message is being sent in parts");
        }
        boolean end = extent != EncodedMessage.Extent.PART;
        if (end) {
            transport.count(Figure.MESSAGES_SENT, 1);
        }
        if (!whole) {
            int opcode = partsOf == FrameReader.CONTINUATION ? message.kind() : FrameReader.CONTINUATION;
            partsOf = end ? FrameReader.CONTINUATION : message.kind();
            return own(opcode | (end ? FrameReader.FIN : 0), message.payload());
        }
        if (compression == null || !message.isCompressible()) {
            return side == Side.SERVER ? message.plain() : own(FrameReader.FIN | message.kind(), message.payload());
        }
        Frame compressed = compressed(message, compression);
        transport.count(Figure.COMPRESSED_BYTES, compressed.size());
        transport.count(Figure.UNCOMPRESSED_BYTES, message.payload().remaining());
        return compressed;
    }

    @GuardedBy("this")
    private Frame compressed(EncodedMessage message, Compression compressing) {
        boolean shareable = compressing.isShareable();
        if (side == Side.SERVER && shareable) {
            return message.shortest();
        }
        return own(
                FrameReader.FIN | FrameReader.COMPRESSED | message.kind(),
                shareable ? Compression.compressAlone(message.payload()) : compressing.compress(message.payload()));
    }

    /** A frame that no other connection sends. */
    @GuardedBy("this")
    private Frame own(int octet, ByteBuffer payload) {
        return side == Side.SERVER ? Frame.of(octet, payload) : Frame.masked(octet, payload, nextMask());
    }

    /** The mask of the next frame, which nobody can predict (section 5.3). */
    @GuardedBy("this")
    private int nextMask() {
        if (!masks.hasRemaining()) {
            byte[] bytes = new byte[MASKS * Integer.BYTES];
            Unpredictable.NUMBERS.nextBytes(bytes);
            masks = ByteBuffer.wrap(bytes);
        }
        return masks.getInt();
    }

    /** Loaded by the first client. */
    private static final class Unpredictable {
        static final SecureRandom NUMBERS = new SecureRandom();
    }

    // ---- the drainer

    /** Passes frames to the transport without waiting for anything. If it takes no more, a job goes on. */
    private void pump() {
        Step step;
        do {
            step = isWaiting() ? Step.BUSY : step(false);
        } while (step == Step.TAKEN);
        if (step == Step.NO_ROOM) {
            requestJob();
        }
    }

    private synchronized boolean isWaiting() {
        return drain != Drain.BY_SENDER;
    }

    private void requestJob() {
        synchronized (this) {
            if (drain != Drain.BY_SENDER) {
                return;
            }
            drain = Drain.BY_JOB;
        }
        transport.work(this::drain);
    }

    /** Passes frames to the transport, and waits for the disk. */
    private void drain() {
        synchronized (this) {
            if (drain == Drain.AWAITED) {
                return; // a sender drains, as soon as there is room
            }
            drain = Drain.BY_SENDER;
        }
        Step step;
        do {
            step = step(true);
        } while (step == Step.TAKEN);
        if (step == Step.NO_ROOM) {
            drainWhenRoom();
        }
    }

    private void drainWhenRoom() {
        synchronized (this) {
            if (hasNoRoom() || failure != null) {
                return;
            }
            drain = Drain.WHEN_ROOM;
            notifyAll(); // senders that wait for the disk
        }
        transport.whenRoom(this::drain);
    }

    /** A sender waits for the disk while too many bytes are in memory, but not for the peer. */
    private void helpDrain() {
        while (isOverfull()) {
            switch (step(true)) {
                case BUSY -> awaitDisk();
                case NO_ROOM -> drainWhenRoom();
                case TAKEN, EMPTY -> {
                    // Goes on until there is room.
                }
            }
        }
    }

    private synchronized boolean isOverfull() {
        return queued > MAX_QUEUED && !transport.writesWaitForPeer() && !hasNoRoom() && failure == null;
    }

    private synchronized void awaitDisk() {
        boolean interrupted = false;
        while (draining && isOverfull()) {
            try {
                wait(); // for the drainer, which waits for the disk
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Passes the first frame to the transport, together with small ones behind it. */
    private Step step(boolean mayWait) {
        ByteBuffer head;
        ByteBuffer payload;
        synchronized (this) {
            Waiting front = first;
            if (front == null) {
                return Step.EMPTY;
            }
            if (draining) {
                return Step.BUSY;
            }
            ByteBuffer together = gather(front, mayWait ? GATHERED_FOR_DISK : GATHERED);
            draining = true; // only now: without memory, there is no drainer
            head = together == null ? front.head : together;
            payload = together == null ? front.payload : NOTHING;
        }
        int size = head.remaining() + payload.remaining();
        IOException failed = null;
        int ofHead = head.position();
        int ofPayload = payload.position();
        try {
            transport.write(head, payload, mayWait);
        } catch (IOException | RuntimeException | Error e) { // whatever it is, the next sender needs the role
            failed = e instanceof IOException io ? io : new IOException(e);
        }
        int left = head.remaining() + payload.remaining();
        head.position(ofHead);
        payload.position(ofPayload);
        Waiting sent = endStep(size - left);
        if (failed != null) {
            fail(failed);
            report(sent, failed); // the transport has taken them, and perhaps not passed them on
            transport.close(); // unless it has ended: the peer would take the next frame for the rest of this one
            return Step.EMPTY;
        }
        for (Waiting each = sent; each != null; each = each.next) {
            complete(each);
        }
        return left > 0 ? Step.NO_ROOM : Step.TAKEN;
    }

    /** Ends the role of the drainer. Removes the frames that have been taken, and returns the first of them. */
    private synchronized @Nullable Waiting endStep(int taken) {
        draining = false;
        queued -= first == null ? 0 : taken; // after a failure, the queue is empty
        Waiting sent = null;
        Waiting lastSent = null;
        int left = taken;
        for (Waiting front = first; front != null && left > 0; front = first) {
            left = front.advance(left);
            front.begun = true;
            if (front.size() > 0) {
                break;
            }
            front.passing = false;
            unlink(null, front);
            cancel(front.timeout);
            if (lastSent == null) {
                sent = front;
            } else {
                lastSent.next = front;
            }
            lastSent = front;
        }
        for (Waiting at = first; at != null && at.passing; at = at.next) {
            at.passing = false;
        }
        notifyAll(); // threads that wait for the drainer
        return sent;
    }

    private void complete(Waiting sent) {
        lastSent = System.nanoTime();
        if (sent.role == Role.CLOSE) {
            whenClosed.run();
        }
        sent.result.done(null);
    }

    /** One buffer with the first frame and those behind it, up to a size; null if the first is to be passed alone. */
    @GuardedBy("this")
    private @Nullable ByteBuffer gather(Waiting front, int most) {
        front.passing = true;
        int size = front.size();
        Waiting end = front.next;
        if (end == null || size + end.size() > most) {
            return null;
        }
        while (end != null && size + end.size() <= most) {
            size += end.size();
            end.passing = true;
            end = end.next;
        }
        ByteBuffer together = ByteBuffer.allocate(size);
        for (Waiting next = front; next != null && next != end; next = next.next) {
            together.put(next.head.duplicate()).put(next.payload.duplicate());
        }
        return together.flip();
    }
}
