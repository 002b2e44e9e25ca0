package io.penstock.loadtest.client;

import io.penstock.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes many calls at the same time on one thread, for callers on any threads. Each call has a connection for itself, which is kept for a
 * later call to the same server. A call beyond the limit of connections fails.
 *
 * <p>Thread: any. Owns: its {@link ClientLoop}, the kept connections, and the calls that are not complete.
 */
public final class MultiplexedClient implements AutoCloseable {
    private final ClientLoop loop;
    private final Clock clock;
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> ended;
    /** The kept connections, of which some may have ended. Thread: the thread of the loop. */
    private final Map<InetSocketAddress, Deque<HttpConnection>> free = new HashMap<>();

    private MultiplexedClient(ClientLoop loop, Clock clock) {
        this.loop = loop;
        this.clock = clock;
        this.ended = loop.ended().whenComplete((done, failure) -> endAll());
    }

    /** Starts a client and its loop. */
    public static MultiplexedClient start(ClientSettings settings) throws IOException {
        return new MultiplexedClient(ClientLoop.start(settings), Clock.SYSTEM);
    }

    /** Creates a client that uses the given loop. No other code may use this loop. */
    static MultiplexedClient over(ClientLoop loop, Clock clock) {
        return new MultiplexedClient(loop, clock);
    }

    /**
     * Fetches a resource, and blocks the calling thread until the response is complete. Thread: any except the thread of the loop.
     *
     * @param deadline the time limit for the whole call: making the connection, and receiving the whole response
     * @throws CallException if there is no complete response; a response with an error status is not a failure
     * @throws IllegalArgumentException if the scheme of the URL is not {@code http}, or its host is not known
     */
    public Response fetch(URI url, Duration deadline) throws CallException, InterruptedException {
        return fetch(Request.get(url), deadline);
    }

    /** Does the same as {@link #fetch(URI, Duration)}, for any request. */
    public Response fetch(Request request, Duration deadline) throws CallException, InterruptedException {
        if (loop.onLoop()) {
            throw new IllegalStateException("fetch must not be called on the loop's thread; use fetchAsync");
        }
        CompletableFuture<Response> outcome = fetchAsync(request, deadline);
        try {
            return outcome.get();
        } catch (InterruptedException interrupted) {
            outcome.cancel(false);
            throw interrupted;
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            Failure failure = cause instanceof CallException call ? call.failure() : Failure.ABANDONED;
            throw new CallException(failure, request + ": " + (cause == null ? failed : cause).getMessage(), failed);
        }
    }

    /**
     * Starts a call. If the call fails, the future fails with a {@link CallException}. Cancelling the future ends the call. An action that
     * depends on the future runs on the thread of the loop if it has no executor of its own. Such an action must not wait. Thread: any.
     */
    public CompletableFuture<Response> fetchAsync(Request request, Duration deadline) {
        Call call = new Call(request, clock.nanos() + deadline.toNanos());
        calls.add(call);
        var unused = call.outcome.whenComplete((response, failure) -> {
            calls.remove(call);
            if (call.outcome.isCancelled()) {
                loop.execute(call::abort);
            }
        });
        loop.execute(call::start);
        if (ended.isDone()) {
            // The loop may have ended before it took the call. In this case only the present thread can fail the call.
            endAll();
        }
        return call.outcome;
    }

    /** Ends all calls and the loop. Thread: any except the thread of the loop. */
    @Override
    public void close() {
        loop.close();
    }

    private void endAll() {
        for (Call call : calls) {
            call.fail(new CallException(Failure.ABANDONED, "The client is closed"));
        }
    }

    private @Nullable HttpConnection takeFree(InetSocketAddress server) {
        Deque<HttpConnection> kept = free.getOrDefault(server, new ArrayDeque<>());
        HttpConnection connection = kept.poll();
        while (connection != null && !connection.isOpen()) {
            connection = kept.poll();
        }
        return connection;
    }

    /** One call, which collects its response. Thread: the thread of the loop; for {@code outcome}, any thread. */
    private final class Call implements Exchange {
        private final Request request;
        private final long deadline;
        private final CompletableFuture<Response> outcome = new CompletableFuture<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private Fields fields = Fields.NONE;
        private @Nullable HttpConnection connection;

        Call(Request request, long deadline) {
            this.request = request;
            this.deadline = deadline;
        }

        void start() {
            if (outcome.isDone()) {
                // The caller cancelled the call before the loop took it.
                return;
            }
            InetSocketAddress server = request.target().address();
            try {
                HttpConnection kept = takeFree(server);
                connection = kept == null ? HttpConnection.open(loop, server, (closed, cause) -> {}) : kept;
                connection.send(request, deadline, this);
            } catch (CallException cannot) {
                fail(cannot);
            }
        }

        void fail(CallException failure) {
            outcome.completeExceptionally(failure);
        }

        /** Closes the connection, so that the remaining bytes of the response are not read. */
        void abort() {
            if (connection != null) {
                connection.abort();
            }
        }

        @Override
        public boolean wantsFields() {
            return true;
        }

        @Override
        public void onHead(int status, Fields received) {
            fields = received;
        }

        @Override
        public void onBody(ByteBuffer bytes) {
            int largest = loop.settings().largestBody();
            if (bytes.remaining() > largest - body.size()) {
                abort();
                fail(new CallException(Failure.BAD_RESPONSE, "The body is larger than " + largest + " bytes"));
                return;
            }
            byte[] piece = new byte[bytes.remaining()];
            bytes.get(piece);
            body.writeBytes(piece);
        }

        @Override
        public void onComplete(int status) {
            if (connection != null && connection.isOpen()) {
                free.computeIfAbsent(request.target().address(), server -> new ArrayDeque<>())
                        .add(connection);
            }
            connection = null;
            outcome.complete(new Response(status, fields, body.toByteArray()));
        }

        @Override
        public void onFailure(CallException failure) {
            connection = null;
            fail(failure);
        }
    }
}
