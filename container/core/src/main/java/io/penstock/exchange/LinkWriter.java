package io.penstock.exchange;

import io.penstock.pipe.ResponsePipe;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.WriteToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The writing half of a connection: the pipe, the token of the thread that may empty it, and the link that it is emptied into. A thread that
 * adds bytes tries the link at once. The reactor sends the bytes that the link did not take.
 *
 * <p>Thread: {@code worker…} methods a worker, {@code reactor…} methods the reactor. One thread at a time adds bytes.
 */
public final class LinkWriter {

    /** Which thread sends parts of files. A thread that is interrupted while it touches a file closes the file for all. */
    public enum Files {
        /** The thread that adds them: workers are not interrupted, unless an application does so. */
        AT_ONCE,
        /** The reactor: workers may be interrupted at any moment. An interrupt of one request would close the file of an earlier one. */
        BY_REACTOR;

        /** @param call the time that a call into the application has; zero if it has any */
        public static Files where(Duration call) {
            return call.isZero() ? AT_ONCE : BY_REACTOR;
        }
    }

    private final ResponsePipe pipe;
    private final Link link;
    private final Files files;
    private final WriteToken token = new WriteToken();
    private final PendingCompletions completions;
    private final int stalledSignal;
    private final int failedSignal;

    public LinkWriter(ResponsePipe pipe, Link link, Files files, int stalledSignal, int failedSignal) {
        this.pipe = pipe;
        this.files = files;
        this.completions = new PendingCompletions(pipe);
        this.link = link;
        this.stalledSignal = stalledSignal;
        this.failedSignal = failedSignal;
    }

    public ResponsePipe pipe() {
        return pipe;
    }

    /** Whether nothing of responses waits to be sent at this moment. */
    public boolean isEmpty() {
        return pipe.isEmpty();
    }

    /** Whether the client has been sent all that was handed over: the output may end. */
    public boolean isAllSent() {
        return pipe.isAllSent();
    }

    /** Whether there is nothing that a holder of the token could send. */
    private boolean isFlushed() {
        return pipe.isEmpty() && link.isFlushed();
    }

    /** The last byte of a response is in the pipe. Its producer sends next. */
    public void responseComplete(RequestObserver observer) {
        completions.add(observer);
    }

    /** The observer of the response that is being sent, if that is whole in the pipe. Any thread. */
    public RequestObserver sending() {
        return completions.first();
    }

    /** The connection has closed. Thread: the reactor. */
    public void onClosed(ConnectionClosed cause) {
        pipe.fail(cause);
        completions.onClosed(cause.getMessage());
    }

    // ---- worker

    /** Sends what the pipe holds, as far as the socket takes it. */
    public void workerDrain() throws IOException {
        while (!isFlushed() && !handFilesToReactor() && token.tryWorker()) {
            if (!drainHeld(ResponsePipe.NOTHING)) {
                link.signal(stalledSignal); // the reactor: bytes wait for the socket to become writable
                break;
            }
        }
        completions.completeSent();
    }

    /** Sends what is in the pipe again after its producer had taken it out. */
    public void workerDrainPutBack() throws IOException {
        workerDrain();
        link.signal(stalledSignal); // the reactor: nothing is out any more, so the connection may end
    }

    /**
     * Sends what the pipe holds and the caller's bytes behind it, in one gathering write, as far as the socket takes them. If the
     * pipe refuses what is added, none of the caller's bytes are sent.
     */
    public void workerTry(ByteBuffer source) throws IOException {
        if (!handFilesToReactor() && token.tryWorker() && !(drainHeld(source) && link.isFlushed())) {
            link.signal(stalledSignal); // the reactor: bytes wait, for a writable socket or just for a sender
        }
    }

    /** Hands what waits to the reactor if it holds parts of files, which this thread must not touch; returns whether so. */
    private boolean handFilesToReactor() {
        boolean mayTouch = files == Files.AT_ONCE && !Thread.currentThread().isInterrupted();
        if (mayTouch || !pipe.hasRegions()) {
            return false;
        }
        link.signal(stalledSignal); // the reactor: what waits is its to send
        return true;
    }

    // ---- reactor

    /**
     * Sends what the pipe and the link hold, as far as the socket takes it; returns whether nothing is left. An empty pipe is drained too:
     * a stalled worker leaves the token to the reactor. If the pipe is empty by then, nothing else frees the token.
     */
    public boolean reactorDrain() throws IOException {
        boolean empty = reactorSend();
        completions.completeSent();
        return empty;
    }

    private boolean reactorSend() throws IOException {
        do {
            if (!token.tryReactor()) {
                return isFlushed();
            }
            if (!drainHeld(ResponsePipe.NOTHING)) {
                return false;
            }
        } while (!isFlushed());
        return true;
    }

    private boolean drainHeld(ByteBuffer behind) throws IOException {
        boolean empty = false;
        try {
            empty = pipe.drainTo(link, behind);
        } catch (IOException e) {
            pipe.fail(ConnectionClosed.of(e));
            link.signal(failedSignal); // the reactor: the link is broken
            throw e;
        } finally {
            if (empty) {
                token.release();
            } else {
                token.stalled();
            }
        }
        return empty;
    }
}
