package io.penstock.loadtest.client;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a {@link Pool}. It carries one call at a time, and is kept for the next call. Thread: the thread of the {@link
 * ClientLoop}.
 */
final class PooledConnection implements HttpConnection.Listener {
    private final Pool pool;
    private final InetSocketAddress origin;
    private final HttpConnection connection;
    private boolean kept;

    PooledConnection(Pool pool, ClientLoop loop, InetSocketAddress origin) throws CallException {
        this.pool = pool;
        this.origin = origin;
        this.connection = HttpConnection.open(loop, origin, this);
    }

    InetSocketAddress origin() {
        return origin;
    }

    /** Whether this connection has already carried a complete call. */
    boolean wasKept() {
        return kept;
    }

    void send(PooledCall call) {
        call.sendOn(this);
        connection.send(call.request(), call.deadline(), call);
    }

    /** The call on this connection is complete. */
    void onFree() {
        if (connection.isOpen()) {
            kept = true;
            pool.onFree(this);
        }
    }

    void close() {
        connection.close();
    }

    /** The call on this connection has ended early. Closes the connection, so that the remaining bytes of the response are not read. */
    void discard() {
        connection.abort();
        pool.onGone(this);
    }

    @Override
    public void onClosed(HttpConnection closed, @Nullable CallException cause) {
        pool.onGone(this);
    }
}
