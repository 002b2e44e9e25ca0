package io.penstock.exchange;

import io.penstock.pipe.ResponsePipe;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.WriteToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The writing half of a connection: the pipe, the link that sends its bytes, and the token of the thread that may use the link. A thread
 * that adds bytes tries to send them at once. The reactor sends the rest.
 *
 * <p>Thread: {@code worker…} methods: the thread that adds bytes, usually a worker. {@code reactor…} methods: the reactor. One thread at a
 * time adds bytes.
 */
public final class LinkWriter extends WriteToken {
    /** The signal for a conversation's reactor: bytes wait, and the reactor must send them ({@link #reactorFlush}). */
    public static final int STALLED = 1;

    /** The signal for a conversation's reactor: a write has failed, so the link is broken. */
    public static final int FAILED = 2;

    /** Which thread sends parts of files. An interrupt of a thread that reads or sends a file closes the file for all threads. */
    public enum Files {
        /** The thread that adds the bytes. In this case, only applications interrupt workers. */
        AT_ONCE,
        /**
         * The reactor. Workers may be interrupted at any moment, and the interrupt of one request would close the file of an earlier one.
         */
        BY_REACTOR;

        /** @param call the time limit of a call into the application; zero for none */
        public static Files where(Duration call) {
            return call.isZero() ? AT_ONCE : BY_REACTOR;
        }
    }

    private final ResponsePipe pipe;
    private final Link link;
    private final Files files;

    // Created by the producer when the first observed response is complete. Most servers observe no responses.
    private volatile @Nullable PendingCompletions completions;

    /** @param link its conversation uses the values {@link #STALLED} and {@link #FAILED} for no other signals */
    public LinkWriter(ResponsePipe pipe, Link link, Files files) {
        this.pipe = pipe;
        this.files = files;
        this.link = link;
    }

    public ResponsePipe pipe() {
        return pipe;
    }

    /** Whether no bytes of responses wait at this moment. */
    public boolean isEmpty() {
        return pipe.isEmpty();
    }

    /** Whether all bytes that were handed over have been sent to the client: the output may end. */
    public boolean isAllSent() {
        return pipe.isAllSent();
    }

    /** Whether a holder of the token would find nothing to send. */
    private boolean isFlushed() {
        return pipe.isEmpty() && link.isFlushed();
    }

    /** The last byte of a response is in the pipe. Its producer sends the pipe's bytes next. */
    public void responseComplete(RequestObserver observer) {
        if (observer == RequestObserver.NONE) {
            return;
        }
        PendingCompletions known = completions;
        if (known == null) {
            beginCompletions(observer);
        } else {
            known.add(observer);
        }
    }

    private void beginCompletions(RequestObserver first) {
        PendingCompletions made = new PendingCompletions(pipe);
        completions = made;
        made.add(first);
        IOException ended = pipe.failure();
        // The connection may have closed before the field was set. Then onClosed() has not informed the new object.
        if (ended != null) {
            made.onClosed(String.valueOf(ended.getMessage()));
        }
    }

    /** The observer of the response that is being sent, if its last byte is in the pipe. Any thread. */
    public RequestObserver sending() {
        PendingCompletions made = completions;
        return made == null ? RequestObserver.NONE : made.first();
    }

    private void completeSent() {
        PendingCompletions made = completions;
        if (made != null) {
            made.completeSent();
        }
    }

    /** The connection has closed. Thread: the reactor. */
    public void onClosed(ConnectionClosed cause) {
        pipe.fail(cause);
        PendingCompletions made = completions;
        if (made != null) {
            made.onClosed(cause.getMessage());
        }
    }

    // ---- worker

    /** Sends the bytes of the pipe, as far as the socket accepts them. */
    public void workerFlush() throws IOException {
        while (!isFlushed() && !handFilesToReactor() && tryWorker()) {
            if (!drainPipe(ResponsePipe.NOTHING)) {
                link.signal(STALLED); // the reactor must send the rest when the socket is writable
                break;
            }
        }
        completeSent();
    }

    /** As {@link #workerFlush}, after the producer has taken bytes out of the pipe and has put them back. */
    public void workerFlushPutBack() throws IOException {
        workerFlush();
        link.signal(STALLED); // no bytes are taken out any more, so the reactor may end the connection
    }

    /**
     * Sends the bytes of the pipe, then the caller's bytes, in one gathering write, as far as the socket accepts them. If the pipe refuses
     * bytes, none of the caller's bytes are sent.
     */
    public void workerTry(ByteBuffer source) throws IOException {
        if (!handFilesToReactor() && tryWorker() && !(drainPipe(source) && link.isFlushed())) {
            link.signal(STALLED); // the reactor must send the bytes that still wait
        }
    }

    /**
     * Sends parts of files in place of the reactor, which leaves the token to this thread. Stops when the client falls behind, when all is
     * sent, or when {@code goesOn} returns false. The caller then signals the reactor.
     */
    void workerSendFiles(BooleanSupplier goesOn) throws IOException {
        boolean more = true;
        while (more && tryInPlaceOfReactor()) {
            more = !drainPipe(ResponsePipe.NOTHING) && link.keepsUp() && goesOn.getAsBoolean();
        }
        completeSent();
    }

    /** Leaves the pipe to the reactor if the pipe has parts of files that this thread must not send. If so, returns true. */
    private boolean handFilesToReactor() {
        boolean mayTouch = files == Files.AT_ONCE && !Thread.currentThread().isInterrupted();
        if (mayTouch || !pipe.hasRegions()) {
            return false;
        }
        link.signal(STALLED); // the reactor must send the pipe's bytes
        return true;
    }

    // ---- reactor

    /**
     * Sends the bytes of the pipe and of the link, as far as the socket accepts them. Returns whether all are sent. Must also be called for
     * an empty pipe: a stalled worker leaves the token to the reactor, and only this call releases it.
     */
    public boolean reactorFlush() throws IOException {
        boolean empty = reactorSend();
        completeSent();
        return empty;
    }

    /** Whether a worker may send waiting parts of files: the client must keep up. Called when not all bytes could be sent. */
    public boolean reactorMayHandOver() {
        return files == Files.AT_ONCE && link.keepsUp() && pipe.hasRegions();
    }

    private boolean reactorSend() throws IOException {
        do {
            if (!tryReactor()) {
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
            link.signal(FAILED); // the reactor must close the connection
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
}
