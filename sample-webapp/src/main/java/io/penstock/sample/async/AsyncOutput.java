package io.penstock.sample.async;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One client's asynchronous response. It takes a piece at a time and never makes its caller wait: a client that reads
 * slowly gets its next piece later, and costs no thread meanwhile.
 *
 * <pre>
 *   start ──> PIECE_DUE ──> FLUSH_DUE ──> FLUSHED ──> IDLE ──offer──> PIECE_DUE      from each: ENDED
 * </pre>
 *
 * Thread: {@code offer} and {@code finish} belong to one thread; the listener's methods belong to the container. Only
 * who has moved the state away from IDLE touches the stream, until {@code isReady} says no: then it is the container's
 * turn to go on.
 *
 * <p>Owns: the asynchronous context, which it completes once.
 */
public final class AsyncOutput implements WriteListener, AsyncListener {

    private enum State {
        IDLE,
        PIECE_DUE,
        FLUSH_DUE,
        FLUSHED,
        ENDED
    }

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final AtomicReference<State> state = new AtomicReference<>(State.PIECE_DUE);
    private volatile byte[] piece;

    private AsyncOutput(AsyncContext async, byte[] first) throws IOException {
        this.async = async;
        this.piece = first;
        this.out = async.getResponse().getOutputStream();
    }

    /**
     * Makes the request asynchronous; its response's head must be set already.
     *
     * @param first goes out with the head, as soon as the container calls; it may be empty
     * @param timeoutMillis when the container ends it, should nobody else
     */
    public static AsyncOutput start(ServletRequest request, byte[] first, long timeoutMillis) throws IOException {
        AsyncContext async = request.startAsync();
        async.setTimeout(timeoutMillis);
        AsyncOutput output = new AsyncOutput(async, first);
        async.addListener(output);
        output.out.setWriteListener(output);
        return output;
    }

    /** Sends these bytes, unless the client is still busy with earlier ones: then it answers false and drops them. */
    public boolean offer(byte[] bytes) {
        if (state.get() != State.IDLE) {
            return false;
        }
        piece = bytes;
        if (!state.compareAndSet(State.IDLE, State.PIECE_DUE)) {
            return false;
        }
        goOn();
        return true;
    }

    /** Ends the response, unless the client is still busy: then it answers false. */
    public boolean finish() {
        if (!state.compareAndSet(State.IDLE, State.ENDED)) {
            return false;
        }
        async.complete();
        return true;
    }

    public boolean hasEnded() {
        return state.get() == State.ENDED;
    }

    @Override
    public void onWritePossible() {
        goOn();
    }

    private void goOn() {
        try {
            while (out.isReady()) {
                switch (state.get()) {
                    case PIECE_DUE -> {
                        if (state.compareAndSet(State.PIECE_DUE, State.FLUSH_DUE)) {
                            out.write(piece);
                        }
                    }
                    case FLUSH_DUE -> {
                        if (state.compareAndSet(State.FLUSH_DUE, State.FLUSHED)) {
                            out.flush();
                        }
                    }
                    case FLUSHED -> {
                        state.compareAndSet(State.FLUSHED, State.IDLE);
                        return;
                    }
                    default -> {
                        return;
                    }
                }
            }
        } catch (IOException | IllegalStateException over) {
            // The client has gone, or the container has given it up meanwhile.
            end();
        }
    }

    private void end() {
        if (state.getAndSet(State.ENDED) != State.ENDED) {
            async.complete();
        }
    }

    /** The client has gone. */
    @Override
    public void onError(Throwable cause) {
        end();
    }

    @Override
    public void onError(AsyncEvent event) {
        end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        state.set(State.ENDED);
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
