package io.penstock.loadtest.client;

import io.penstock.time.TimerWheel;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

    /**
     * A connection of a {@link Pool}. It carries one call at a time, and is kept for the next call. Thread: the thread of the {@link
     * ClientLoop}.
     */
    static final class PooledConnection implements HttpConnection.Listener {
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

    /**
     * A call of a {@link MultiplexedClient} from its beginning to its end. The call waits for a connection, uses the connection, and
     * collects the response. The timer of the call runs only while the call waits. After that the connection checks the deadline.
     *
     * <pre>
     *   WAITING ──> SENT ──> DONE
     *     │ ^─retry──┘         ^
     *     └────────────────────┘
     * </pre>
     *
     * Thread: the thread of the {@link ClientLoop}; for {@link #outcome}, any thread.
     */
    static final class PooledCall extends TimerWheel.Timer implements Exchange {
        private enum State {
            WAITING,
            SENT,
            DONE
        }

        private final Pool pool;
        private final Request request;
        private final long deadline;
        private final int largestBody;
        private final CompletableFuture<Response> outcome = new CompletableFuture<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private State state = State.WAITING;
        private Fields fields = Fields.NONE;
        private Pool.@Nullable PooledConnection connection;
        private boolean answered;
        private boolean retried;

        PooledCall(Pool pool, Request request, long deadline, int largestBody) {
            this.pool = pool;
            this.request = request;
            this.deadline = deadline;
            this.largestBody = largestBody;
        }

        CompletableFuture<Response> outcome() {
            return outcome;
        }

        Request request() {
            return request;
        }

        long deadline() {
            return deadline;
        }

        boolean isDone() {
            return state == State.DONE;
        }

        /**
         * Whether the call must use a new connection. This is true after a retry: the first attempt used a kept connection that the server
         * has closed.
         */
        boolean needsNewConnection() {
            return retried;
        }

        void sendOn(Pool.PooledConnection on) {
            state = State.SENT;
            connection = on;
        }

        /** Fails the call, for example because it could not be sent or was cancelled. */
        void fail(CallException failure) {
            if (state != State.DONE) {
                state = State.DONE;
                connection = null;
                pool.forget(this);
                outcome.completeExceptionally(failure);
            }
        }

        /** Handles the cancellation of the call by its caller. */
        void cancel() {
            Pool.PooledConnection used = connection;
            fail(new CallException(Failure.ABANDONED, "The call was cancelled"));
            if (used != null) {
                used.discard();
            }
        }

        @Override
        protected void expired() {
            fail(new CallException(Failure.DEADLINE, "No connection was free before the deadline"));
        }

        @Override
        public boolean wantsFields() {
            return true;
        }

        @Override
        public void onHead(int status, Fields received) {
            answered = true;
            fields = received;
        }

        @Override
        public void onBody(ByteBuffer bytes) {
            if (bytes.remaining() > largestBody - body.size()) {
                Pool.PooledConnection used = connection;
                fail(new CallException(Failure.BAD_RESPONSE, "The body is larger than " + largestBody + " bytes"));
                if (used != null) {
                    used.discard();
                }
                return;
            }
            byte[] piece = new byte[bytes.remaining()];
            bytes.get(piece);
            body.writeBytes(piece);
        }

        @Override
        public void onComplete(int status) {
            Pool.PooledConnection used = connection;
            state = State.DONE;
            connection = null;
            pool.forget(this);
            if (used != null) {
                used.onFree();
            }
            outcome.complete(new Response(status, fields, body.toByteArray()));
        }

        @Override
        public void onFailure(CallException failure) {
            boolean wasKept = connection != null && connection.wasKept();
            connection = null;
            if (wasKept && !retried && !answered && request.isIdempotent() && isOfKeptConnection(failure.failure())) {
                retried = true;
                state = State.WAITING;
                pool.retry(this);
            } else {
                fail(failure);
            }
        }

        /** Whether the failure can mean that the server closed the idle connection while the request was sent (RFC 9112, section 9.3.1). */
        private static boolean isOfKeptConnection(Failure failure) {
            return failure == Failure.CLOSED_EARLY || failure == Failure.RESET;
        }
    }
}
