package io.penstock.sample.async;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/**
 * The asynchronous response for one client. It accepts one piece of bytes at a time, and its methods never wait for the
 * client. A client that reads slowly gets its next piece later. Until then, the client uses no thread.
 *
 * <pre>
 *   start ──> PIECE_DUE ──> FLUSH_DUE ──> FLUSHED ──> IDLE ──offer──> PIECE_DUE
 *                                                      └──finish──> ENDED
 *   from each: FAILED ──> ENDED
 * </pre>
 *
 * Thread: any for {@code offer} and {@code finish}; the container calls the listener's methods. All methods that use
 * the state are synchronized. So the container cannot end the response after a failure while another thread writes.
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
     * Makes the request asynchronous. The caller must set the headers of the response before this call.
     *
     * @param first the first piece; it can be empty. The first piece is sent with the head at the first call of {@link
     *     #onWritePossible}
     * @param timeoutMillis the time after which the container ends the request
     */
    public static AsyncOutput start(ServletRequest request, byte[] first, long timeoutMillis) throws IOException {
        AsyncContext async = request.startAsync();
        async.setTimeout(timeoutMillis);
        AsyncOutput output = new AsyncOutput(async, first);
        async.addListener(output);
        output.out.setWriteListener(output);
        return output;
    }

    /** Sends these bytes. If earlier bytes are not sent yet, drops these bytes and returns false. */
    public synchronized boolean offer(byte[] bytes) {
        if (state != State.IDLE) {
            return false;
        }
        piece = bytes;
        state = State.PIECE_DUE;
        try {
            goOn();
        } catch (IOException | IllegalStateException over) {
            // The client has disconnected, or the container has ended the request. The container then calls a listener
            // method of this class. Only that method may complete the context.
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

    /**
     * Writes and flushes the piece while {@code isReady} returns true. If it returns false, {@link #onWritePossible}
     * continues later.
     */
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
