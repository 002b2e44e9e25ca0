package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.Conversation;
import io.penstock.loadtest.client.ResponseReader;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One kept connection of the steady requests.
 *
 * <pre>
 *   OPENING ──> ASKING <──> FREE      from each: CLOSED
 * </pre>
 *
 * Thread: the loop.
 */
final class SteadyConnection implements Conversation {
    private enum State {
        OPENING,
        ASKING,
        FREE,
        CLOSED
    }

    private final SteadyRequests requests;
    private final ResponseReader response = new ResponseReader();
    private @Nullable Wire wire;
    private State state = State.OPENING;
    private long dueAt;

    /** A connection that is about to be made, for a request that was due at that time. */
    SteadyConnection(SteadyRequests requests, long dueAt) {
        this.requests = requests;
        this.dueAt = dueAt;
        watch(dueAt);
    }

    /** Sends the next request over the connection, which is free. */
    void ask(long due) {
        dueAt = due;
        watch(due);
        send();
    }

    void close() {
        state = State.CLOSED;
        if (wire != null) {
            wire.close();
        }
    }

    @Override
    public void onOpen(Wire opened) {
        wire = opened;
        if (state == State.CLOSED) {
            // The deadline has passed before the connection was made.
            opened.close();
        } else {
            send();
        }
    }

    @Override
    public void onBytes(Wire from, ByteBuffer bytes) throws IOException {
        if (state == State.FREE) {
            throw new ProtocolException("Bytes that nobody has asked for");
        }
        if (!response.read(bytes)) {
            return;
        }
        if (response.isPersistent()) {
            state = State.FREE;
            requests.onAnswer(this, response.status(), dueAt);
        } else {
            close();
            requests.onLastAnswer(response.status(), dueAt);
        }
    }

    @Override
    public void onEnd(Wire ended, CallException cause) {
        State before = state;
        state = State.CLOSED;
        if (before == State.FREE) {
            requests.onFreeConnectionGone(this);
        } else if (before == State.ASKING && response.onClose()) {
            requests.onLastAnswer(response.status(), dueAt);
        } else if (before != State.CLOSED) {
            requests.onFailure(String.valueOf(cause.getMessage()));
        }
    }

    private void send() {
        if (wire == null) {
            throw new IllegalStateException("The connection is not open");
        }
        state = State.ASKING;
        response.reset();
        wire.send(requests.plan().target().get());
    }

    private void watch(long due) {
        long deadline = due + TimeUnit.MILLISECONDS.toNanos(requests.plan().deadlineMillis());
        requests.loop().at(deadline, () -> onDeadline(due));
    }

    private void onDeadline(long due) {
        if (dueAt == due && (state == State.OPENING || state == State.ASKING)) {
            close();
            requests.onFailure("no answer within " + requests.plan().deadlineMillis() + " ms");
        }
    }
}
