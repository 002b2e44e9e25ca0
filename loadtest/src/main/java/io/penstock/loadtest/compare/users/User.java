package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.Exchange;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.HttpConnection;
import io.penstock.loadtest.client.Request;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One user. It has one connection, and sends its next request as soon as it has received the response. If the connection cannot be made, or
 * ends before its first response, the user connects again, at most once per second.
 *
 * <pre>
 *   CONNECTING ──> RESTING <──> WAITING        any ──> GONE
 *       ^  └─┐        │            │
 *       └────┴────────┴────────────┘  the connection was not made, or is closed
 * </pre>
 *
 * <p>Thread: the thread of the {@code ClientLoop}. Owns: the connection.
 */
final class User implements HttpConnection.Listener, Exchange {
    private static final long BETWEEN_ATTEMPTS = 1_000_000_000;

    private enum State {
        CONNECTING,
        RESTING,
        WAITING,
        GONE
    }

    private final UserCrowd crowd;
    private final int number;
    private State state = State.CONNECTING;
    private @Nullable HttpConnection connection;
    private @Nullable Request request;
    private long attempted;
    private long sent;
    private long answersOnConnection;

    User(UserCrowd crowd, int number) {
        this.crowd = crowd;
        this.number = number;
    }

    void connect() {
        if (state == State.GONE) {
            return;
        }
        state = State.CONNECTING;
        attempted = System.nanoTime();
        try {
            connection = crowd.open(this);
        } catch (CallException failed) {
            onConnectError(failed);
        }
    }

    /** Sends a request for the present content of the {@link UserCrowd}. Does nothing if the user is waiting for a response. */
    void askIfResting() {
        Request wanted = crowd.request();
        if (state != State.RESTING || wanted == null || connection == null || !connection.isOpen()) {
            return;
        }
        state = State.WAITING;
        request = wanted;
        sent = System.nanoTime();
        connection.send(wanted, HttpConnection.NO_DEADLINE, this);
    }

    /** If the user is waiting for a response, adds the waiting time so far to the tally. */
    void tellAge(AnswerTally tally, long now) {
        if (state == State.WAITING) {
            tally.onUnderWay(now - sent);
        }
    }

    void leave() {
        state = State.GONE;
        if (connection != null) {
            connection.abort();
        }
    }

    @Override
    public void onOpen(HttpConnection opened) {
        crowd.connects().onMade();
        state = State.RESTING;
        connection = opened;
        answersOnConnection = 0;
        askIfResting();
    }

    @Override
    public void onComplete(int status) {
        AnswerTally tally = crowd.tallyOf(request);
        if (tally != null) {
            tally.onAnswer(number, status, System.nanoTime() - sent);
        }
        state = State.RESTING;
        answersOnConnection++;
        // If this response is the last on the connection, the connection is already closed. In this case the call does
        // nothing, and onClosed is called next.
        askIfResting();
    }

    @Override
    public void onFailure(CallException failure) {
        state = State.RESTING;
        AnswerTally tally = crowd.tallyOf(request);
        if (tally != null && failure.failure() != Failure.ABANDONED) {
            tally.onFailure(failure.failure());
        }
    }

    @Override
    public void onClosed(HttpConnection closed, @Nullable CallException cause) {
        if (state == State.CONNECTING && cause != null) {
            onConnectError(cause);
        } else if (answersOnConnection > 0) {
            // The connection ended after at least one answer, so the user connects again at once.
            crowd.soon(this::connect);
        } else {
            tryAgain();
        }
    }

    /** Connects again, at least one second after the last attempt. */
    private void tryAgain() {
        long left = Math.max(0, attempted + BETWEEN_ATTEMPTS - System.nanoTime());
        crowd.after(1 + TimeUnit.NANOSECONDS.toMillis(left), this::connect);
    }

    private void onConnectError(CallException cause) {
        crowd.connects().onError(cause.failure().label() + ": " + cause.getMessage());
        tryAgain();
    }
}
