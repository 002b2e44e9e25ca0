package io.penstock.websocket.frame;

import io.penstock.events.WebSocketEnd;
import io.penstock.part.ReleasedUpgradeHandler;
import io.penstock.part.UpgradedConnection;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The upgrade handler of one WebSocket connection of the server: {@code request.upgrade(UpgradedFrames.class).prepare(…)}. No worker waits
 * for the client, neither for a read nor for a write.
 *
 * <p>Thread: workers, one at a time; {@link #giveUp}: any. Owns: the connection's share in {@link UnfinishedMessages}, until {@link
 * #destroy}.
 */
public final class UpgradedFrames implements ReleasedUpgradeHandler, ReadListener {
    private static final Logger LOG = LoggerFactory.getLogger(UpgradedFrames.class);

    private static final int CHUNK = 16 * 1024;

    /** An array for reads. The thread that reads takes it out, since the endpoint might make the thread read another connection. */
    private static final ThreadLocal<byte @Nullable []> SPARE = new ThreadLocal<>();

    private @Nullable DeflateParameters deflate;
    private @Nullable Function<FrameConnection, FrameListener> opened;
    private Consumer<WebSocketEnd> ended = end -> {};
    private UnfinishedMessages.@Nullable Share share;
    private volatile @Nullable UpgradedConnection upgraded;
    private volatile @Nullable FrameConnection frames;
    private int held;

    /**
     * Must be called before the 101 response ends.
     *
     * @param parameters the negotiated compression; null for none
     * @param unfinished limits the memory of unfinished messages
     * @param whenOpened called by a worker when the response has been sent; returns the listener of the connection
     * @param whenEnded called once by a worker, also if {@code whenOpened} is never called
     */
    public void prepare(
            @Nullable DeflateParameters parameters,
            UnfinishedMessages unfinished,
            Function<FrameConnection, FrameListener> whenOpened,
            Consumer<WebSocketEnd> whenEnded) {
        deflate = parameters;
        share = unfinished.share(this::giveUp);
        opened = whenOpened;
        ended = whenEnded;
    }

    @Override
    public void init(WebConnection begun) {
        UpgradedConnection connection = (UpgradedConnection) begun;
        upgraded = connection;
        FrameConnection made =
                new FrameConnection(FrameConnection.Side.SERVER, new ServerTransport(connection), deflate);
        made.listen(Objects.requireNonNull(opened).apply(made));
        opened = null;
        frames = made;
        input().setReadListener(this);
    }

    private ServletInputStream input() {
        try {
            return Objects.requireNonNull(upgraded).getInputStream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private FrameConnection frames() {
        return Objects.requireNonNull(frames);
    }

    /**
     * Reads once. The rest is read by another job: otherwise a client that sends without a pause would keep the other jobs of its session
     * waiting, and {@code service-timeout} would end its session, since all its messages would be one call.
     */
    @Override
    public void onDataAvailable() throws IOException {
        ServletInputStream in = input();
        if (!in.isReady()) {
            return;
        }
        byte[] chunk = SPARE.get();
        SPARE.set(null);
        if (chunk == null) {
            chunk = new byte[CHUNK];
        }
        int count = in.read(chunk);
        if (count >= 0) { // otherwise onAllDataRead follows
            frames().received(ByteBuffer.wrap(chunk, 0, count));
            if (frames().messageEnded()) {
                hold(0); // what is unfinished now is a later message
            }
            hold(frames().bufferedBytes());
        }
        SPARE.set(chunk);
        if (in.isReady()) {
            Objects.requireNonNull(upgraded).execute(this::readOn);
        }
    }

    private void readOn() {
        try {
            onDataAvailable();
        } catch (IOException e) {
            onError(e);
            Objects.requireNonNull(upgraded).close();
        }
    }

    private void hold(int bytes) {
        UnfinishedMessages.Share ours = share;
        if (ours != null && bytes != held) {
            held = bytes;
            ours.holds(bytes);
        }
    }

    /** Ends the connection, because the unfinished messages of all connections need too much memory. */
    private void giveUp() {
        endsBy(WebSocketEnd.UNFINISHED_MESSAGES);
        UpgradedConnection open = upgraded;
        if (open != null) {
            open.close();
            open.execute(() -> frames().dropUnfinished()); // the client may take its output slowly
        }
    }

    private void endsBy(WebSocketEnd cause) {
        FrameConnection connection = frames;
        if (connection != null) {
            connection.endsBy(cause);
        }
    }

    @Override
    public void onAllDataRead() {
        frames().inputEnded(Objects.requireNonNull(upgraded).isLeaving());
    }

    @Override
    public void onError(Throwable failure) {
        // The method destroy() follows, and notifies the endpoint.
        LOG.debug("A WebSocket connection has failed: {}", failure.toString());
        failed(failure);
    }

    private void failed(Throwable failure) {
        switch (Objects.requireNonNull(upgraded).cause(failure)) {
            case UPGRADE_IDLE_TIMEOUT -> endsBy(WebSocketEnd.UPGRADE_IDLE_TIMEOUT);
            case WRITE_STALL_TIMEOUT -> endsBy(WebSocketEnd.WRITE_STALL_TIMEOUT);
            default -> endsBy(WebSocketEnd.CLIENT_GONE);
        }
    }

    @Override
    public void destroy() {
        hold(0);
        FrameConnection ended = frames;
        if (ended != null) {
            ended.ended();
        }
    }

    @Override
    public void released() {
        FrameConnection last = frames;
        ended.accept(last == null ? WebSocketEnd.NOT_OPENED : last.end());
    }

    private final class ServerTransport implements Transport {
        private final UpgradedConnection connection;

        ServerTransport(UpgradedConnection connection) {
            this.connection = connection;
        }

        @Override
        public void write(ByteBuffer head, ByteBuffer payload, boolean mayWait) throws IOException {
            try {
                connection.offer(head, payload, mayWait);
            } catch (IOException e) {
                failed(e);
                throw e;
            }
        }

        @Override
        public boolean awaitRoom(long nanos) throws IOException {
            try {
                return connection.awaitRoom(nanos);
            } catch (IOException e) {
                failed(e);
                throw e;
            }
        }

        @Override
        public void whenRoom(Runnable action) {
            connection.whenRoom(action);
        }

        @Override
        public void work(Runnable action) {
            connection.work(action);
        }

        @Override
        public void execute(Runnable job) {
            connection.execute(job);
        }

        @Override
        public Future<?> after(long millis, Runnable action) {
            return connection.after(Duration.ofMillis(millis), action);
        }

        @Override
        public long pendingBytes() {
            return connection.pendingBytes();
        }

        @Override
        public void count(UpgradedConnection.Figure figure, long number) {
            connection.count(figure, number);
        }

        @Override
        public void close() {
            connection.close();
        }

        @Override
        public void abort(Throwable cause) {
            connection.abort(cause);
        }
    }
}
