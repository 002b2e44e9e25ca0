package io.penstock.loadtest.client;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a pool: it carries one call at a time, and is kept for the next. Thread: the loop.
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

    /** Whether it has carried a call before. */
    boolean wasKept() {
        return kept;
    }

    void send(PooledCall call) {
        call.sendOn(this);
        connection.send(call.request(), call.deadline(), call);
    }

    /** Its call is complete. */
    void onFree() {
        if (connection.isOpen()) {
            kept = true;
            pool.onFree(this);
        }
    }

    void close() {
        connection.close();
    }

    /** Its call is cancelled, and the rest of the response is dropped with it. */
    void discard() {
        connection.abort();
        pool.onGone(this);
    }

    @Override
    public void onClosed(HttpConnection closed, @Nullable CallException cause) {
        pool.onGone(this);
    }
}
