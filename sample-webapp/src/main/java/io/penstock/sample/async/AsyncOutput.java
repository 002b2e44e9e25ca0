package io.penstock.sample.async;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/**
 * One client's asynchronous response. It takes one piece at a time and never blocks its caller: a client that reads slowly gets
 * its next piece later, and occupies no thread meanwhile.
 *
 * <pre>
 *   start ──> PIECE_DUE ──> FLUSH_DUE ──> FLUSHED ──> IDLE ──offer──> PIECE_DUE
 *                                                      └──finish──> ENDED
 *   from each: FAILED ──> ENDED
 * </pre>
 *
 * Thread: any for {@code offer} and {@code finish}; the container calls the listener's methods. All methods hold this object's
 * monitor, so that the container does not end the response after a failure while another thread is writing.
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
     * Makes the request asynchronous; the response's headers must be set already.
     *
     * @param first sent with the head when the container first calls {@link #onWritePossible}; may be empty
     * @param timeoutMillis time after which the container ends the request
     */
    public static AsyncOutput start(ServletRequest request, byte[] first, long timeoutMillis) throws IOException {
        AsyncContext async = request.startAsync();
        async.setTimeout(timeoutMillis);
        AsyncOutput output = new AsyncOutput(async, first);
        async.addListener(output);
        output.out.setWriteListener(output);
        return output;
    }

    /** Sends these bytes. Returns false and drops them if earlier bytes are not sent yet. */
    public synchronized boolean offer(byte[] bytes) {
        if (state != State.IDLE) {
            return false;
        }
        piece = bytes;
        state = State.PIECE_DUE;
        try {
            goOn();
        } catch (IOException | IllegalStateException over) {
            // The client has disconnected, or the container has ended the request. The container calls one of the
            // methods below, and only there may the context be completed.
            state = State.FAILED;
        }
        return true;
    }

    /** Ends the response. Returns false if earlier bytes are not sent yet. */
    public synchronized boolean finish() {
        if (state != State.IDLE) {
            return false;
        }
        end();
        return true;
    }

    /** Whether the response has ended, by {@code finish} or because the client has disconnected. */
    public synchronized boolean hasEnded() {
        return state == State.FAILED || state == State.ENDED;
    }

    @Override
    public synchronized void onWritePossible() throws IOException {
        goOn();
    }

    /** Each step needs {@code isReady}; if that returns false, {@link #onWritePossible} continues later. */
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
