package io.penstock.loadtest.client;

import io.penstock.time.TimerWheel;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call of a {@link MultiplexedClient} from its beginning to its end. The call waits for a connection, uses the connection, and collects
 * the response. The timer of the call runs only while the call waits. After that the connection checks the deadline.
 *
 * <pre>
 *   WAITING ──> SENT ──> DONE
 *     │ ^─retry──┘         ^
 *     └────────────────────┘
 * </pre>
 *
 * Thread: the thread of the {@link ClientLoop}; for {@link #outcome}, any thread.
 */
final class PooledCall extends TimerWheel.Timer implements Exchange {
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
    private @Nullable PooledConnection connection;
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
     * Whether the call must use a new connection. This is true after a retry: the first attempt used a kept connection that the server has
     * closed.
     */
    boolean needsNewConnection() {
        return retried;
    }

    void sendOn(PooledConnection on) {
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
        PooledConnection used = connection;
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
            PooledConnection used = connection;
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
        PooledConnection used = connection;
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
