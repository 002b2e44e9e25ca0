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
 * Many calls at a time over one thread, for callers on any threads. Connections are kept open, up to the limit in the settings.
 * If none is free, a call waits for its turn while its deadline runs.
 *
 * <p>A request that was sent on a kept connection just as the server closed it is sent once more, on a new connection, if
 * its method is idempotent.
 *
 * <p>Thread: any. Owns: its loop, and the calls that are not done.
 */
public final class MultiplexedClient implements AutoCloseable {
    private final ClientLoop loop;
    private final Clock clock;
    private final Pool pool;
    private final Set<PooledCall> calls = ConcurrentHashMap.newKeySet();
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

    /** A client over a loop of its own. */
    static MultiplexedClient over(ClientLoop loop, Clock clock) {
        return new MultiplexedClient(loop, clock);
    }

    /**
     * Fetches a resource; the caller waits, the I/O does not. Thread: any but the loop.
     *
     * @param deadline time limit for the whole call: the wait for a connection, making it, and the response up to its last byte
     * @throws CallException if there is no complete response; an error status is a response
     * @throws IllegalArgumentException if the scheme of the URL is not {@code http}, or its host is not known
     */
    public Response fetch(URI url, Duration deadline) throws CallException, InterruptedException {
        return fetch(Request.get(url), deadline);
    }

    /** The same for any request. */
    public Response fetch(Request request, Duration deadline) throws CallException, InterruptedException {
        if (loop.onLoop()) {
            throw new IllegalStateException("The loop cannot wait for itself");
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
     * Starts a call. The future fails with a {@link CallException}; cancelling the future ends the call. Thread: any. An action
     * that depends on the future and has no executor of its own runs on the loop, and must not wait.
     */
    public CompletableFuture<Response> fetchAsync(Request request, Duration deadline) {
        long until = clock.nanos() + deadline.toNanos();
        PooledCall call = new PooledCall(pool, request, until, loop.settings().largestBody());
        calls.add(call);
        var unused = call.outcome().whenComplete((response, failure) -> {
            if (call.outcome().isCancelled()) {
                loop.execute(call::cancel);
            }
        });
        loop.execute(() -> pool.start(call));
        if (ended.isDone()) {
            // If the loop ended before it took the call, only this thread can fail the call.
            endAll();
        }
        return call.outcome();
    }

    /** Ends all calls and the loop. Thread: any but the loop. */
    @Override
    public void close() {
        loop.close();
    }

    private void endAll() {
        for (PooledCall call : calls) {
            call.outcome().completeExceptionally(new CallException(Failure.ABANDONED, "The client is closed"));
        }
        calls.clear();
    }
}
