package io.penstock.sample.async;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/**
 * One client's asynchronous response. It takes a piece at a time and never makes its caller wait: a client that reads
 * slowly gets its next piece later, and costs no thread meanwhile.
 *
 * <pre>
 *   start ──> PIECE_DUE ──> FLUSH_DUE ──> FLUSHED ──> IDLE ──offer──> PIECE_DUE
 *                                                      └──finish──> ENDED
 *   from each: FAILED ──> ENDED
 * </pre>
 *
 * Thread: any for {@code offer} and {@code finish}; the listener's methods belong to the container. All hold this object's
 * monitor, so that the container, when it hears of a failure, does not end the response while somebody is still writing.
 *
 * <p>Owns: the asynchronous context, which it completes once.
 */
public final class AsyncOutput implements WriteListener, AsyncListener {

    private enum State {
        PIECE_DUE,
        FLUSH_DUE,
        FLUSHED,
        IDLE,
        FAILED,
        ENDED
    }

    private final AsyncContext async;
    private final ServletOutputStream out;
    private State state = State.PIECE_DUE;
    private byte[] piece;

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
    public synchronized boolean offer(byte[] bytes) {
        if (state != State.IDLE) {
            return false;
        }
        piece = bytes;
        state = State.PIECE_DUE;
        try {
            goOn();
        } catch (IOException | IllegalStateException over) {
            // The client has gone, or the container has given it up. It calls one of the methods below, and only
            // there may the context be completed.
            state = State.FAILED;
        }
        return true;
    }

    /** Ends the response, unless the client is still busy: then it answers false. */
    public synchronized boolean finish() {
        if (state != State.IDLE) {
            return false;
        }
        end();
        return true;
    }

    /** Whether there is nothing more to offer, because it was finished or because the client has gone. */
    public synchronized boolean hasEnded() {
        return state == State.FAILED || state == State.ENDED;
    }

    @Override
    public synchronized void onWritePossible() throws IOException {
        goOn();
    }

    /** Each step needs the container's consent; where that is lacking, {@link #onWritePossible} goes on. */
    private void goOn() throws IOException {
        while (state != State.IDLE && !hasEnded() && out.isReady()) {
            switch (state) {
                case PIECE_DUE -> {
                    state = State.FLUSH_DUE;
                    out.write(piece);
                }
                case FLUSH_DUE -> {
                    state = State.FLUSHED;
                    out.flush();
                }
                default -> state = State.IDLE;
            }
        }
    }

    private void end() {
        if (state != State.ENDED) {
            state = State.ENDED;
            async.complete();
        }
    }

    @Override
    public synchronized void onError(Throwable cause) {
        end();
    }

    @Override
    public synchronized void onError(AsyncEvent event) {
        end();
    }

    @Override
    public synchronized void onTimeout(AsyncEvent event) {
        end();
    }

    @Override
    public synchronized void onComplete(AsyncEvent event) {
        state = State.ENDED;
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
