package io.penstock.loadtest.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Many calls at a time over one thread, for callers on any threads. */
@SuppressWarnings("DoNotCallSuggester") // the signatures, ahead of their inside
public final class MultiplexedClient implements AutoCloseable {

    private MultiplexedClient() {}

    /** Starts a client and its loop. */
    public static MultiplexedClient start(ClientSettings settings) throws IOException {
        throw new UnsupportedOperationException(settings.toString());
    }

    /**
     * Fetches a resource; the caller waits, the I/O does not. Thread: any but the loop.
     *
     * @param deadline how long all of it may take: waiting for a connection, making it, and the response to its last byte
     * @throws CallException if there is no complete response; an error status is a response
     * @throws IllegalArgumentException if it is not an {@code http} URL or its host is not known
     */
    public Response fetch(URI url, Duration deadline) throws CallException, InterruptedException {
        throw new UnsupportedOperationException(url + " " + deadline);
    }

    /**
     * Starts a call. The future fails with a {@link CallException}; to cancel it ends the call. Thread: any. What depends on
     * the future without an executor of its own runs on the loop and may not wait.
     */
    public CompletableFuture<Response> fetchAsync(Request request, Duration deadline) {
        throw new UnsupportedOperationException(request + " " + deadline);
    }

    /** Ends all calls and the loop. Thread: any but the loop. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
