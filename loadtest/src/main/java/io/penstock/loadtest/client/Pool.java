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
 * The kept connections, and the calls that wait for one. When the limit of connections is reached, calls wait in order. A free
 * connection to another server is closed to make room.
 *
 * <p>Thread: the loop. Owns: its connections.
 */
final class Pool {
    private final ClientLoop loop;
    private final Consumer<PooledCall> whenDone;
    // The connections are in the order of their last use.
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

    /** Tries the call again, before later calls. Its connection has ended, so there is room for a new one. */
    void retry(PooledCall call) {
        waiting.addFirst(call);
        loop.watch(call, call.deadline());
    }

    /** The call is done. */
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

    /** Sends the call if there is a connection for it, or room for one. */
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
