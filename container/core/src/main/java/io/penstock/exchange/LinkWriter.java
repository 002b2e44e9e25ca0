package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.WriteToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The output side of a connection. It consists of the pipe, the link that sends the bytes of the pipe, and a token ({@link WriteToken}).
 * Only the thread that has the token may write to the link. A thread that adds bytes to the pipe tries to send the bytes at once. The
 * reactor sends the remaining bytes.
 *
 * <p>Thread: methods with the prefix {@code worker}: the thread that adds bytes, usually a worker. Methods with the prefix {@code reactor}:
 * the reactor. At most one thread at a time adds bytes.
 */
public final class LinkWriter extends WriteToken implements ResponseWriter {
    /** The signal to the reactor that bytes wait, and that the reactor must send them ({@link #reactorFlush}). */
    public static final int STALLED = 1;

    /** The signal to the reactor that a write has failed, so that the link is broken. */
    public static final int FAILED = 2;

    /**
     * Which thread sends parts of files. If a thread is interrupted while it reads or sends a file, the JDK closes the file for all
     * threads.
     */
    public enum Files {
        /** The thread that adds the bytes sends parts of files. Used if the server does not interrupt workers. */
        AT_ONCE,
        /**
         * Only the reactor sends parts of files. Used if the server interrupts workers after a time limit. The interrupt of one request
         * could otherwise close the file of an earlier request.
         */
        BY_REACTOR;

        /** @param call the time limit of a call into the application; zero for no limit */
        public static Files where(Duration call) {
            return call.isZero() ? AT_ONCE : BY_REACTOR;
        }
    }

    private final ResponsePipe pipe;
    private final Link link;
    private final Files files;

    // Created when the last byte of the first observed response is in the pipe. Most servers observe no responses.
    private volatile @Nullable Completions completions;

    /**
     * @param link the link of the connection. The handler of this link must not use the values {@link #STALLED} and {@link #FAILED} for
     *     other signals
     */
    public LinkWriter(ResponsePipe pipe, Link link, Files files) {
        this.pipe = pipe;
        this.files = files;
        this.link = link;
    }

    @Override
    public ResponsePipe pipe() {
        return pipe;
    }

    @Override
    public boolean isEmpty() {
        return pipe.isEmpty();
    }

    @Override
    public long progress() {
        return pipe.sent();
    }

    /** Whether all bytes that were put into the pipe have been sent to the client, so that the output can end. */
    public boolean isAllSent() {
        return pipe.isAllSent();
    }

    /** Whether the pipe and the link have no bytes to send. */
    private boolean isFlushed() {
        return pipe.isEmpty() && link.isFlushed();
    }

    @Override
    public void responseComplete(RequestObserver observer) {
        if (observer == RequestObserver.NONE) {
            return;
        }
        Completions known = completions;
        if (known == null) {
            beginCompletions(observer);
        } else {
            known.add(observer);
        }
    }

    private void beginCompletions(RequestObserver first) {
        Completions made = new Completions(pipe);
        completions = made;
        made.add(first);
        IOException ended = pipe.failure();
        // If the connection was closed before `completions` was set, onClosed() has not informed the new object.
        if (ended != null) {
            made.onClosed(String.valueOf(ended.getMessage()));
        }
    }

    /**
     * The observer of the response that is being sent, if the last byte of that response is in the pipe. Otherwise {@link
     * RequestObserver#NONE}. Any thread.
     */
    public RequestObserver sending() {
        Completions made = completions;
        return made == null ? RequestObserver.NONE : made.first();
    }

    private void completeSent() {
        Completions made = completions;
        if (made != null) {
            made.completeSent();
        }
    }

    /** Called when the connection has been closed. Thread: the reactor. */
    public void onClosed(ConnectionClosed cause) {
        pipe.fail(cause);
        Completions made = completions;
        if (made != null) {
            made.onClosed(cause.getMessage());
        }
    }

    // ---- worker

    @Override
    public void workerFlush() throws IOException {
        while (!isFlushed() && !handFilesToReactor() && tryWorker()) {
            if (!drainPipe(ResponsePipe.NOTHING)) {
                // The reactor must send the remaining bytes when the socket is writable.
                link.signal(STALLED);
                break;
            }
        }
        completeSent();
    }

    @Override
    public long workerReserve(int count) throws IOException {
        if (!isFlushed() || !tryWorker()) {
            return -1;
        }
        boolean reserved = false;
        try {
            long begins = pipe.reserve(count);
            reserved = true;
            return begins;
        } finally {
            if (!reserved) {
                release();
            }
        }
    }

    @Override
    public void workerSend(Segment segment) throws IOException {
        boolean sent = false;
        try {
            sent = pipe.sendReserved(link, segment);
        } catch (IOException | RuntimeException | Error e) {
            // The link is broken, or no memory is left for the bytes that the link has not taken.
            pipe.fail(ConnectionClosed.of(e));
            // The reactor must close the connection.
            link.signal(FAILED);
            throw e;
        } finally {
            if (sent) {
                release();
            } else {
                stalled();
            }
        }
        if (!sent) {
            // The reactor must send the remaining bytes when the socket is writable.
            link.signal(STALLED);
        }
    }

    @Override
    public void workerFlushPutBack() throws IOException {
        workerFlush();
        // The reactor does not end the connection while bytes are taken out of the pipe. So the reactor must check
        // again whether all bytes are sent.
        link.signal(STALLED);
    }

    @Override
    public void workerTry(ByteBuffer source) throws IOException {
        if (!handFilesToReactor() && tryWorker() && !(drainPipe(source) && link.isFlushed())) {
            // The reactor must send the bytes that are still in the pipe or in the link.
            link.signal(STALLED);
        }
    }

    /**
     * Sends parts of files in place of the reactor. Meanwhile, the reactor does not use the token. Stops when the client is too slow, when
     * all bytes are sent, or when {@code proceed} returns false. After this call, the caller signals the reactor.
     */
    void workerSendFiles(BooleanSupplier proceed) throws IOException {
        boolean more = true;
        while (more && tryInPlaceOfReactor()) {
            more = !drainPipe(ResponsePipe.NOTHING) && link.keepsUp() && proceed.getAsBoolean();
        }
        completeSent();
    }

    /**
     * Ends the output after the last byte of the connection. No thread may add bytes after this call. Returns false, and changes nothing, if
     * bytes wait, if another thread has the token, or if only the reactor can end the output of this link. The caller then signals the
     * reactor.
     */
    public boolean workerEnd() {
        if (!isFlushed() || !tryWorker()) {
            return false;
        }
        boolean ended = false;
        try {
            ended = pipe.isAllSent() && link.endOutput();
        } finally {
            if (ended) {
                end();
            } else {
                release();
            }
        }
        return ended;
    }

    /**
     * If the pipe contains parts of files that this thread must not send, signals the reactor to send them. Returns whether the reactor was
     * signalled.
     */
    private boolean handFilesToReactor() {
        boolean mayTouch = files == Files.AT_ONCE && !Thread.currentThread().isInterrupted();
        if (mayTouch || !pipe.hasRegions()) {
            return false;
        }
        // The reactor must send the pipe's bytes.
        link.signal(STALLED);
        return true;
    }

    // ---- reactor

    /**
     * Sends the bytes of the pipe and of the link until the socket accepts no more bytes. Returns whether all bytes are sent. Must also be
     * called if the pipe is empty: a worker that could not send all bytes has passed the token to the reactor, and only this call releases
     * the token.
     */
    public boolean reactorFlush() throws IOException {
        boolean empty = reactorSend();
        completeSent();
        return empty;
    }

    /**
     * Whether a worker may send the waiting parts of files in place of the reactor. The client must be fast enough. Called when not all
     * bytes could be sent.
     */
    public boolean reactorMayHandOver() {
        return files == Files.AT_ONCE && link.keepsUp() && pipe.hasRegions();
    }

    /**
     * Ends the use of this writer, because its connection is idle: no thread can write any more. Returns false, and changes nothing, if
     * bytes wait, if another thread has the token, or if the connection has failed. Then the connection still needs this writer.
     */
    public boolean reactorEnd() {
        if (pipe.hasFailed() || sending() != RequestObserver.NONE || !isFlushed() || !tryReactor()) {
            return false;
        }
        boolean ended = pipe.isAllSent();
        if (ended) {
            end();
        } else {
            release();
        }
        return ended;
    }

    private boolean reactorSend() throws IOException {
        do {
            if (!tryReactor()) {
                assert !hasOutputEnded() || pipe.isEmpty() : "bytes behind the end of the output";
                return isFlushed();
            }
            if (!drainPipe(ResponsePipe.NOTHING)) {
                return false;
            }
        } while (!isFlushed());
        return true;
    }

    private boolean drainPipe(ByteBuffer behind) throws IOException {
        boolean empty = false;
        try {
            empty = pipe.drainTo(link, behind);
        } catch (IOException e) {
            pipe.fail(ConnectionClosed.of(e));
            // The reactor must close the connection.
            link.signal(FAILED);
            throw e;
        } finally {
            if (empty) {
                release();
            } else {
                stalled();
            }
        }
        return empty;
    }

    /**
     * The complete responses in the pipe: the last byte of each response is in the pipe, and the link has not accepted that byte yet. The
     * observer of each response is called once. It is called when the link has accepted the last byte, or when the connection has ended.
     *
     * <p>Thread: {@link #add}: the thread that adds bytes to the pipe, in the order of the responses. {@link #onClosed}: the reactor. {@link
     * #completeSent}: each thread that has added a response or has sent bytes. A thread that adds a response reads the count of sent bytes
     * after the addition. A thread that sends bytes checks for responses after it has sent the bytes. So no response is missed.
     */
    private static final class Completions {
        private final ResponsePipe pipe;

        // The responses form a linked list in the order of addition. An empty list needs no object.
        @GuardedBy("this")
        private @Nullable Pending first;

        @GuardedBy("this")
        private @Nullable Pending last;

        @GuardedBy("this")
        private @Nullable String cause;

        // Whether the list has entries. Written under the monitor, and read without it: an empty list needs no lock.
        private volatile boolean any;

        private static final class Pending {
            final RequestObserver observer;

            /** The position of the response's end among all bytes of the pipe. */
            final long end;

            @Nullable
            Pending next;

            Pending(RequestObserver observer, long end) {
                this.observer = observer;
                this.end = end;
            }
        }

        Completions(ResponsePipe pipe) {
            this.pipe = pipe;
        }

        /** Adds the response that ends with the last byte in the pipe. After this call, the caller must call {@link #completeSent}. */
        void add(RequestObserver observer) {
            if (observer != RequestObserver.NONE) {
                observer.responseComplete();
                append(observer);
            }
        }

        private synchronized void append(RequestObserver observer) {
            Pending added = new Pending(observer, pipe.handedOver());
            if (last == null) {
                first = added;
            } else {
                last.next = added;
            }
            last = added;
            any = true;
        }

        /**
         * Calls the observers of responses that have been sent. After {@link #onClosed}, also calls the observers of responses that will never
         * be sent.
         */
        void completeSent() {
            if (any) {
                // A thread that adds a response after this check calls completeSent() itself.
                completeUpTo(pipe.sent());
            }
        }

        /** The observer of the first response that is not sent completely; {@code NONE} if there is no such response. Any thread. */
        synchronized RequestObserver first() {
            return first == null ? RequestObserver.NONE : first.observer;
        }

        /** Called when the connection has been closed. */
        void onClosed(String why) {
            synchronized (this) {
                cause = why;
            }
            completeSent();
        }

        private void completeUpTo(long sent) {
            for (Pending next = next(sent); next != null; next = any ? next(sent) : null) {
                if (next.end <= sent) {
                    next.observer.sent(next.end);
                } else {
                    next.observer.lost(cause());
                }
            }
        }

        private synchronized @Nullable Pending next(long sent) {
            Pending taken = first;
            if (taken == null || (taken.end > sent && cause == null)) {
                return null;
            }
            first = taken.next;
            if (first == null) {
                last = null;
                any = false;
            }
            return taken;
        }

        private synchronized String cause() {
            return cause == null ? "" : cause;
        }
    }
}
