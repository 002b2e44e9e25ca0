package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.CloseCause;
import io.penstock.exchange.RawConnection;
import io.penstock.http.Fields;
import io.penstock.limits.Counter;
import io.penstock.part.UpgradedConnection;
import io.penstock.reactor.ConnectionClosed;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's view of an upgraded connection: an input stream and an output stream. Each stream is blocking until the application
 * sets a listener.
 *
 * <p>Thread: one application thread at a time may use each stream. Any thread may call the other methods. Jobs of the exchange call the
 * listeners.
 */
public final class UpgradedStreams implements UpgradedConnection {
    private static final Logger LOG = LoggerFactory.getLogger(UpgradedStreams.class);

    private final RawConnection connection;
    private final Callbacks callbacks;
    private final BodyInputStream input;

    // Created when the application asks for the output stream. WebSocket does not, and idle sessions are many.
    @GuardedBy("this")
    private @Nullable UnbufferedOutput buffer;

    @GuardedBy("this")
    private @Nullable BodyOutputStream output;

    /** Whether the output stream takes no more bytes. */
    @GuardedBy("this")
    private boolean shut;

    public UpgradedStreams(RawConnection connection, Callbacks callbacks) {
        this.connection = connection;
        this.callbacks = callbacks;
        this.input = new BodyInputStream(connection.input(), callbacks);
    }

    @Override
    public ServletInputStream getInputStream() {
        return input;
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return output();
    }

    private synchronized BodyOutputStream output() {
        if (output == null) {
            buffer = new UnbufferedOutput(connection.output(), this::outputClosed);
            output = new BodyOutputStream(buffer, connection.output(), callbacks);
            if (shut) {
                buffer.shut();
            }
        }
        return output;
    }

    /** The output stream takes no more bytes. Returns it; null if there is none. */
    private synchronized @Nullable BodyOutputStream shutOutput() {
        shut = true;
        if (buffer != null) {
            buffer.shut();
        }
        return output;
    }

    /**
     * Ends reading and writing. The connection ends when all written bytes have been sent. The call does not wait for the end of the
     * connection.
     */
    @Override
    public void close() {
        input.close();
        BodyOutputStream made = shutOutput();
        if (made == null || made.isWritten(connection::close)) {
            connection.close();
        }
    }

    @Override
    public boolean isLeaving() {
        return connection.isLeaving();
    }

    @Override
    public void offer(ByteBuffer head, ByteBuffer payload, boolean mayUseDisk) throws IOException {
        connection.offer(head, payload, mayUseDisk);
    }

    @Override
    public boolean awaitRoom(long nanos) throws IOException {
        return connection.awaitRoom(nanos);
    }

    @Override
    public void whenRoom(Runnable action) {
        connection.output().whenReady(() -> connection.work(action));
    }

    @Override
    public void work(Runnable action) {
        connection.work(action);
    }

    @Override
    public void execute(Runnable job) {
        callbacks.callback(job::run, failure -> {});
    }

    @Override
    public Future<?> after(Duration delay, Runnable action) {
        return connection.after(delay, action);
    }

    @Override
    public long pendingBytes() {
        return connection.pendingBytes();
    }

    @Override
    public CloseCause cause(Throwable failure) {
        return ConnectionClosed.of(failure).reason();
    }

    @Override
    public void count(Figure figure, long number) {
        connection.count(
                switch (figure) {
                    case FRAMES_RECEIVED -> Counter.WEBSOCKET_FRAMES_RECEIVED;
                    case FRAMES_SENT -> Counter.WEBSOCKET_FRAMES_SENT;
                    case MESSAGES_RECEIVED -> Counter.WEBSOCKET_MESSAGES_RECEIVED;
                    case MESSAGES_SENT -> Counter.WEBSOCKET_MESSAGES_SENT;
                    case COMPRESSED_BYTES -> Counter.WEBSOCKET_COMPRESSED_BYTES;
                    case UNCOMPRESSED_BYTES -> Counter.WEBSOCKET_UNCOMPRESSED_BYTES;
                },
                number);
    }

    @Override
    public void abort(Throwable cause) {
        connection.output().abort(cause);
    }

    /** Called when the connection has ended. Further uses of the streams fail. */
    public void end() {
        input.end();
        shutOutput();
    }

    /** Called when the application has closed its output. The end is sent after the pending bytes. */
    private void outputClosed() {
        if (output().isWritten(this::finishOutput)) {
            finishOutput();
        }
    }

    private void finishOutput() {
        try {
            connection.output().finish(Fields.EMPTY);
        } catch (IOException e) {
            LOG.debug("The end of an upgraded connection's output could not be sent: {}", e.toString());
        }
    }
}
