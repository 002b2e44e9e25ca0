package io.penstock.loadtest.client;

import io.penstock.time.Clock;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * Makes many calls at the same time on one thread, for callers on any threads. Connections are kept open after a call. Their number is
 * limited by the settings. If no connection is free, a call is queued; its deadline includes this wait.
 *
 * <p>The server may close a kept connection at the moment when a request is sent. In this case the request is sent once more, on a new
 * connection, if its method is idempotent.
 *
 * <p>Thread: any. Owns: its {@link ClientLoop}, and the calls that are not complete.
 */
public final class MultiplexedClient implements AutoCloseable {
    private final ClientLoop loop;
    private final Clock clock;
    private final Pool pool;
    private final Set<Pool.PooledCall> calls = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> ended;

    private MultiplexedClient(ClientLoop loop, Clock clock) {
        this.loop = loop;
        this.clock = clock;
        this.pool = new Pool(loop, calls::remove);
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
     * @param deadline the time limit for the whole call: waiting for a connection, making the connection, and receiving the whole response
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
        long until = clock.nanos() + deadline.toNanos();
        Pool.PooledCall call =
                new Pool.PooledCall(pool, request, until, loop.settings().largestBody());
        calls.add(call);
        var unused = call.outcome().whenComplete((response, failure) -> {
            if (call.outcome().isCancelled()) {
                loop.execute(call::cancel);
            }
        });
        loop.execute(() -> pool.start(call));
        if (ended.isDone()) {
            // The loop may have ended before it took the call. In this case only the present thread can fail the call.
            endAll();
        }
        return call.outcome();
    }

    /** Ends all calls and the loop. Thread: any except the thread of the loop. */
    @Override
    public void close() {
        loop.close();
    }

    private void endAll() {
        for (Pool.PooledCall call : calls) {
            call.outcome().completeExceptionally(new CallException(Failure.ABANDONED, "The client is closed"));
        }
        calls.clear();
    }
}
