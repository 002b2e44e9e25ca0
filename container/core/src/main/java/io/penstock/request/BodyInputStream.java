package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.RequestBody;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The stream by which the application reads a request body. The stream is blocking until the application sets a {@link ReadListener}, and
 * non-blocking from then on.
 *
 * <p>Thread: one application thread at a time, usually a worker. Jobs of the exchange call the listener. These jobs run on workers, one at
 * a time. When bytes have arrived, the reactor only enqueues such a job.
 *
 * <p>State: the state changes only under the monitor. A call of {@code read} on a blocking stream takes no lock, but checks the volatile
 * state twice. The check before the read notices a close or the end of the exchange. The check after the read notices that a listener was
 * set during the read. The body is read without the monitor, since the read may wait for the client. So the state can change during the
 * read. The field {@code signal} also changes only under the monitor. So at most one action is registered with the body at a time, and each
 * action calls the listener at most once.
 *
 * <p>When the exchange has ended, every read throws.
 */
public final class BodyInputStream extends ServletInputStream {
    private final RequestBody body;
    private final Callbacks callbacks;
    private final byte[] single = new byte[1];

    private volatile State state = State.BLOCKING;

    @GuardedBy("this")
    private Signal signal = Signal.NONE;

    private volatile @Nullable ReadListener listener;

    private enum State {
        BLOCKING,
        NON_BLOCKING,
        ALL_DATA_READ,
        CLOSED,
        ENDED
    }

    /** Whether an action is registered with the body. The action runs when bytes, the end or a failure has arrived. */
    private enum Signal {
        NONE,
        ARMED
    }

    BodyInputStream(RequestBody body, Callbacks callbacks) {
        this.body = body;
        this.callbacks = callbacks;
    }

    @Override
    public int read() throws IOException {
        int n = read(single, 0, 1);
        return n < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        State now = checkReadable();
        if (length == 0) {
            return 0;
        }
        if (now == State.ALL_DATA_READ) {
            return -1;
        }
        int n = body.read(ByteBuffer.wrap(target, offset, length));
        signalEnd();
        return n;
    }

    /**
     * Reads into {@code target}. After the read the position of {@code target} is unchanged, and the limit is behind the last byte read
     * (Servlet 6.1).
     */
    @Override
    public int read(ByteBuffer target) throws IOException {
        Objects.requireNonNull(target);
        State now = checkReadable();
        if (!target.hasRemaining()) {
            return 0;
        }
        if (now == State.ALL_DATA_READ) {
            return -1;
        }
        int start = target.position();
        int n = body.read(target);
        signalEnd();
        if (n >= 0) {
            target.position(start);
            target.limit(start + n);
        }
        return n;
    }

    @Override
    public int readLine(byte[] target, int offset, int length) throws IOException {
        checkBlocking();
        return super.readLine(target, offset, length);
    }

    @Override
    public byte[] readAllBytes() throws IOException {
        checkBlocking();
        return super.readAllBytes();
    }

    @Override
    public byte[] readNBytes(int length) throws IOException {
        checkBlocking();
        return super.readNBytes(length);
    }

    @Override
    public int readNBytes(byte[] target, int offset, int length) throws IOException {
        checkBlocking();
        return super.readNBytes(target, offset, length);
    }

    @Override
    public int available() {
        State now = state;
        return now == State.BLOCKING || now == State.NON_BLOCKING ? body.available() : 0;
    }

    @Override
    public boolean isFinished() {
        return state == State.ENDED || body.isFinished();
    }

    @Override
    public boolean isReady() {
        synchronized (this) {
            if (state == State.BLOCKING) {
                return true;
            }
            if (state != State.NON_BLOCKING) {
                return false;
            }
            // The order of the two calls matters: if the end arrives between the two calls, onAllDataRead is called.
            if (body.isReady() && !body.isFinished()) {
                return true;
            }
            if (signal == Signal.ARMED) {
                return false;
            }
            signal = Signal.ARMED;
        }
        awaitData();
        return false;
    }

    @Override
    public void setReadListener(ReadListener readListener) {
        Objects.requireNonNull(readListener);
        synchronized (this) {
            if (state != State.BLOCKING || listener != null) {
                throw new IllegalStateException("A ReadListener is set already, or the stream is closed");
            }
            if (!callbacks.isStarted()) {
                throw new IllegalStateException("A ReadListener needs asynchronous mode: call startAsync first");
            }
            listener = readListener;
            state = State.NON_BLOCKING;
            signal = Signal.ARMED;
        }
        awaitData();
    }

    @Override
    public synchronized void close() {
        if (state == State.BLOCKING || state == State.NON_BLOCKING) {
            state = State.CLOSED;
        }
    }

    /** Called when the exchange has ended. Further reads throw. Thread: any. */
    synchronized void end() {
        state = State.ENDED;
    }

    /** Whether the application has set a {@link ReadListener}. */
    boolean isNonBlocking() {
        return listener != null;
    }

    private State checkReadable() throws IOException {
        State now = state;
        switch (now) {
            case CLOSED -> throw new IOException("The request's stream is closed");
            case ENDED -> throw new IOException("The request has ended");
            case NON_BLOCKING -> {
                if (!body.isReady() && !body.isFinished()) {
                    throw new IllegalStateException("Nothing to read: isReady() has not returned true");
                }
            }
            case BLOCKING, ALL_DATA_READ -> {
                // Nothing to check: a blocking read may wait, and after the last byte a read returns -1.
            }
        }
        return now;
    }

    private void checkBlocking() {
        if (listener != null) {
            throw new IllegalStateException("The stream is in non-blocking mode");
        }
    }

    /** Called after each read. If the last byte has been read, {@code onAllDataRead} is called when the running callback has returned. */
    private void signalEnd() {
        if (state == State.BLOCKING) {
            // A blocking stream has no listener to call.
            return;
        }
        synchronized (this) {
            if (state != State.NON_BLOCKING || signal == Signal.ARMED || !body.isFinished()) {
                return;
            }
            signal = Signal.ARMED;
        }
        awaitData();
    }

    /**
     * Registers an action with the body. When bytes, the end or a failure has arrived, the body runs the action. The action enqueues a job
     * that calls the listener.
     */
    private void awaitData() {
        ReadListener called = Objects.requireNonNull(listener);
        body.whenReady(() -> callbacks.callback(this::dataHasCome, called::onError));
    }

    private void dataHasCome() throws IOException {
        ReadListener called = Objects.requireNonNull(listener);
        boolean finished;
        synchronized (this) {
            if (state != State.NON_BLOCKING) {
                return;
            }
            signal = Signal.NONE;
            finished = body.isFinished();
            if (finished) {
                state = State.ALL_DATA_READ;
            }
        }
        // If the body has failed, check() throws, and onError gets the exception.
        body.check();
        if (finished) {
            called.onAllDataRead();
        } else {
            called.onDataAvailable();
        }
    }
}
