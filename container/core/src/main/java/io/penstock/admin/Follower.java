package io.penstock.admin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open page of the flow board, which receives the samples of the {@link Board}. A slow page misses samples. The server buffers for a
 * page at most the bytes that fit into the response's buffer, the pipe.
 *
 * <p>Thread: the board's thread calls {@link #send}; workers call the listener methods.
 *
 * <pre>
 *   BEHIND --its pipe has room--> KEEPS_UP --a sample fills its pipe--> BEHIND
 *     any --its client disconnects, or the board ends--> GONE
 * </pre>
 */
final class Follower implements WriteListener, AsyncListener {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);

    private final Board board;
    private final AsyncContext async;
    private final ServletOutputStream out;

    @GuardedBy("this")
    private State state = State.BEHIND;

    private enum State {
        BEHIND,
        KEEPS_UP,
        GONE
    }

    Follower(Board board, AsyncContext async, ServletOutputStream out) {
        this.board = board;
        this.async = async;
        this.out = out;
    }

    /**
     * Sends a sample if the pipe of the response has room. Returns false if the page misses the sample. Thread: the thread of the board.
     */
    boolean send(byte[] frame) {
        synchronized (this) {
            if (state != State.KEEPS_UP) {
                return false;
            }
            try {
                if (!out.isReady()) {
                    // The container will call onWritePossible.
                    state = State.BEHIND;
                    return false;
                }
                out.write(frame);
                if (out.isReady()) {
                    out.flush();
                } else {
                    state = State.BEHIND;
                }
                return true;
            } catch (IOException | IllegalStateException e) {
                LOG.debug("A page that followed the flow board has disconnected", e);
            }
        }
        end();
        return true;
    }

    /** Ends the stream, because the board ends or the client has disconnected. */
    void end() {
        synchronized (this) {
            if (state == State.GONE) {
                return;
            }
            state = State.GONE;
        }
        board.leave(this);
        try {
            async.complete();
        } catch (IllegalStateException e) {
            LOG.debug("The container has already ended the request", e);
        }
    }

    // ---- the container

    @Override
    public void onWritePossible() throws IOException {
        synchronized (this) {
            if (state == State.BEHIND && out.isReady()) {
                out.flush(); // sends the remaining bytes of the former sample
                state = State.KEEPS_UP;
            }
        }
    }

    @Override
    public void onError(Throwable cause) {
        LOG.debug("A page that followed the flow board has disconnected", cause);
        end();
    }

    @Override
    public void onError(AsyncEvent event) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        synchronized (this) {
            state = State.GONE;
        }
        board.leave(this);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // No action: this request starts only one asynchronous cycle.
    }
}
