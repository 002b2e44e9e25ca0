package io.penstock.loadtest.client;

import io.penstock.time.TimerWheel;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The kept connections of a {@link MultiplexedClient}, and the calls that wait for a connection. When the limit of connections is reached,
 * the pool closes a free connection to another server to make room. If no connection is free, calls are queued.
 *
 * <p>Thread: the thread of the {@link ClientLoop}. Owns: its connections.
 */
final class Pool {
    private final ClientLoop loop;
    private final Consumer<PooledCall> whenDone;
    // The free connections, in the order of their last use.
    private final Set<PooledConnection> free = new LinkedHashSet<>();
    private final ArrayDeque<PooledCall> waiting = new ArrayDeque<>();

    Pool(ClientLoop loop, Consumer<PooledCall> whenDone) {
        this.loop = loop;
        this.whenDone = whenDone;
    }

    void start(PooledCall call) {
        if (call.isDone()) {
            // The caller cancelled the call before the loop took it.
            return;
        }
        if (!waiting.isEmpty() || !dispatch(call)) {
            waiting.add(call);
            loop.watch(call, call.deadline());
        }
    }

    /**
     * Queues a failed call again, before all other queued calls. The connection of the call has ended, so there is room for a new
     * connection.
     */
    void retry(PooledCall call) {
        waiting.addFirst(call);
        loop.watch(call, call.deadline());
    }

    /** Handles the end of a call, successful or not. */
    void forget(PooledCall call) {
        loop.forget(call);
        whenDone.accept(call);
    }

    void onFree(PooledConnection connection) {
        free.add(connection);
        serveWaiting();
    }

    void onGone(PooledConnection connection) {
        free.remove(connection);
        serveWaiting();
    }

    private void serveWaiting() {
        for (PooledCall first = waiting.peek(); first != null; first = waiting.peek()) {
            if (!first.isDone() && !dispatch(first)) {
                return;
            }
            waiting.remove(first);
        }
    }

    /** Sends the call if a connection is free, or a new connection can be made. Returns false if the call must wait in the queue. */
    private boolean dispatch(PooledCall call) {
        InetSocketAddress origin = call.request().target().address();
        PooledConnection connection = call.needsNewConnection() ? null : takeFree(origin);
        if (connection == null && !makeRoom()) {
            return false;
        }
        loop.forget((TimerWheel.Timer) call);
        try {
            (connection == null ? new PooledConnection(this, loop, origin) : connection).send(call);
        } catch (CallException failed) {
            call.fail(failed);
        }
        return true;
    }

    private boolean makeRoom() {
        if (loop.connections() < loop.settings().maxConnections()) {
            return true;
        }
        Iterator<PooledConnection> longestUnused = free.iterator();
        if (!longestUnused.hasNext()) {
            return false;
        }
        PooledConnection victim = longestUnused.next();
        longestUnused.remove();
        victim.close();
        return true;
    }

    private @Nullable PooledConnection takeFree(InetSocketAddress origin) {
        for (PooledConnection connection : free) {
            if (connection.origin().equals(origin)) {
                free.remove(connection);
                return connection;
            }
        }
        return null;
    }
}
