package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ResponseSink;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The stream by which the application writes a response body. The stream is blocking until the application sets a {@link WriteListener},
 * and non-blocking from then on.
 *
 * <p>Thread: one application thread at a time, usually a worker. Jobs of the exchange call the listener. These jobs run on workers, one at
 * a time. When the client can receive bytes again, the reactor only enqueues such a job.
 *
 * <p>State: a blocking stream has no state in this class, so its writes take no lock of this class. One volatile read of {@code pending}
 * shows that the stream is blocking. {@code setWriteListener} makes the stream non-blocking, once. From then on the monitor guards the
 * fields {@code listener}, {@code interest}, {@code watch} and {@code onWritten}. A thread that may wait for the client does not hold the
 * monitor.
 */
public final class BodyOutputStream extends ServletOutputStream {
    private final ByteTarget buffer;
    private final ResponseSink sink;
    private final Callbacks callbacks;

    @GuardedBy("this")
    private @Nullable WriteListener listener;

    /** Null while the stream is blocking; set once, under the monitor. */
    private volatile @Nullable PendingWrites pending;

    @GuardedBy("this")
    private Interest interest = Interest.NONE;

    @GuardedBy("this")
    private Watch watch = Watch.NONE;

    @GuardedBy("this")
    private @Nullable Runnable onWritten;

    /** Whether {@code onWritePossible} must be called when the client can receive bytes again. */
    private enum Interest {
        NONE,
        WRITE_POSSIBLE
    }

    /** Whether an action is registered with the sink. The sink runs the action when the client can receive bytes again. */
    private enum Watch {
        NONE,
        ARMED
    }

    BodyOutputStream(ByteTarget buffer, ResponseSink sink, Callbacks callbacks) {
        this.buffer = buffer;
        this.sink = sink;
        this.callbacks = callbacks;
    }

    @Override
    public void write(int b) throws IOException {
        checkWritable();
        buffer.write(b);
        watchIfPending();
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        checkWritable();
        buffer.write(source, offset, length);
        watchIfPending();
    }

    /** If the bytes of {@code source} do not fit into the response's buffer, {@code source} itself is handed over, without a copy. */
    @Override
    public void write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source);
        checkWritable();
        if (source.hasRemaining()) {
            buffer.write(source);
            watchIfPending();
        }
    }

    /** Writes ISO-8859-1 text in one write. The inherited method makes one more copy of the bytes. */
    @Override
    public void print(@Nullable String text) throws IOException {
        String printed = String.valueOf(text);
        for (int i = 0; i < printed.length(); i++) {
            if (printed.charAt(i) > 0xff) {
                throw new CharConversionException(
                        "Not an ISO-8859-1 character: 0x" + Integer.toHexString(printed.charAt(i)));
            }
        }
        byte[] bytes = printed.getBytes(StandardCharsets.ISO_8859_1);
        write(bytes, 0, bytes.length);
    }

    @Override
    public void flush() throws IOException {
        checkWritable();
        buffer.flush();
        watchIfPending();
    }

    @Override
    public void close() throws IOException {
        buffer.close();
        watchIfPending();
    }

    @Override
    public boolean isReady() {
        PendingWrites kept = pending;
        if (kept == null) {
            return true;
        }
        synchronized (this) {
            if (canWrite(kept)) {
                return true;
            }
            interest = Interest.WRITE_POSSIBLE;
        }
        watch();
        return false;
    }

    @Override
    public void setWriteListener(WriteListener writeListener) {
        Objects.requireNonNull(writeListener);
        if (!callbacks.isStarted()) {
            throw new IllegalStateException("A WriteListener needs asynchronous mode: call startAsync first");
        }
        // Called outside the monitor, since the call may wait for a thread that writes.
        PendingWrites kept = buffer.nonBlocking();
        synchronized (this) {
            if (listener != null) {
                throw new IllegalStateException("A WriteListener is set already");
            }
            listener = writeListener;
            pending = kept;
            interest = Interest.WRITE_POSSIBLE;
        }
        watch();
    }

    /** Runs an action of the container as a job of the exchange. */
    void resume(Runnable action) {
        callbacks.resume(action);
    }

    /** Whether a {@link WriteListener} is set. */
    boolean isNonBlocking() {
        return pending != null;
    }

    /**
     * Whether no bytes of non-blocking writes are pending. If bytes are pending, {@code then} runs as a job of the exchange when these
     * bytes have been sent or have failed.
     */
    boolean isWritten(Runnable then) {
        PendingWrites kept = pending;
        if (kept == null) {
            return true;
        }
        synchronized (this) {
            if (kept.isEmpty()) {
                return true;
            }
            onWritten = then;
        }
        watch();
        return false;
    }

    private void checkWritable() {
        PendingWrites kept = pending;
        if (kept != null && !canWrite(kept)) {
            throw new IllegalStateException("The client takes no more now: isReady() has not returned true");
        }
    }

    private boolean canWrite(PendingWrites kept) {
        return kept.isEmpty() && sink.isReady();
    }

    private void watchIfPending() {
        PendingWrites kept = pending;
        if (kept != null && !kept.isEmpty()) {
            watch();
        }
    }

    /**
     * Registers an action with the sink. When the client can receive bytes again, the sink runs the action, which enqueues a job of the
     * exchange.
     */
    private void watch() {
        synchronized (this) {
            if (watch == Watch.ARMED) {
                return;
            }
            watch = Watch.ARMED;
        }
        sink.whenReady(() -> callbacks.resume(this::sinkIsReady));
    }

    private void sinkIsReady() {
        // The field is not null, since only a non-blocking stream registers this action with the sink.
        PendingWrites kept = Objects.requireNonNull(pending);
        WriteListener called;
        Runnable written;
        Throwable failure;
        boolean again;
        synchronized (this) {
            watch = Watch.NONE;
            failure = handOver(kept);
            boolean sent = kept.isEmpty();
            // The pending bytes may have used up the room. The listener may write only when there is room again.
            boolean mayWrite = sent && (failure != null || sink.isReady());
            called = mayWrite && (interest == Interest.WRITE_POSSIBLE || failure != null) ? listener : null;
            written = sent ? onWritten : null;
            if (mayWrite) {
                interest = Interest.NONE;
            }
            if (sent) {
                onWritten = null;
            }
            again = !sent || interest == Interest.WRITE_POSSIBLE;
        }
        if (again) {
            // The call of watch() is necessary even if another thread has sent the pending bytes in the meantime: the
            // listener has not been called yet, and onWritten has not run yet.
            watch();
        }
        if (called != null) {
            call(called, failure);
        }
        if (written != null) {
            written.run();
        }
    }

    /** Hands pending bytes over. If the hand-over fails, drops the bytes and returns the exception; otherwise returns null. */
    private static @Nullable Throwable handOver(PendingWrites kept) {
        try {
            kept.handOver();
            return null;
        } catch (IOException | RuntimeException e) {
            kept.drop();
            return e;
        }
    }

    private void call(WriteListener called, @Nullable Throwable failure) {
        if (failure == null) {
            callbacks.callback(called::onWritePossible, called::onError);
        } else {
            callbacks.callback(
                    () -> {
                        throw new IOException("The client is gone", failure);
                    },
                    called::onError);
        }
    }
}
