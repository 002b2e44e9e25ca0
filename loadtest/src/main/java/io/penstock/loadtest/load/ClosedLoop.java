package io.penstock.loadtest.load;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.HttpConnection;
import io.penstock.loadtest.client.HttpConnection.Exchange;
import io.penstock.loadtest.client.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulates users that wait for each response before they send the next request (a closed loop). If the server pauses, users send fewer
 * requests. Each pause then affects only one request of each user, so high percentiles hide pauses of the server. Use {@link OpenLoop} to
 * measure such pauses.
 *
 * <p>Owns: its users.
 */
public final class ClosedLoop extends Load {
    private final ClosedPlan plan;
    private final List<User> users;
    private long countFrom;
    private long countUntil;

    public ClosedLoop(ClientLoop loop, ClosedPlan plan) {
        super(loop, plan.deadline());
        this.plan = plan;
        this.users = new ArrayList<>(plan.users());
    }

    ClosedPlan plan() {
        return plan;
    }

    /** Whether events at the given time are counted. */
    boolean counts(long now) {
        return now - countFrom >= 0 && now - countUntil < 0;
    }

    @Override
    void begin() {
        long start = nanos();
        countFrom = start + plan.warmUp().toNanos();
        countUntil = countFrom + plan.duration().toNanos();
        loop().at(countFrom, measurement()::begin);
        loop().at(countUntil, this::end);
        comeIn(start);
    }

    /** Starts all users that are due now, and schedules the next call of this method for the next user. */
    private void comeIn(long start) {
        long between = plan.rampUp().toNanos() / plan.users();
        long now = nanos();
        while (isRunning() && users.size() < plan.users()) {
            long at = start + users.size() * between;
            if (at - now > 0) {
                loop().at(at, () -> comeIn(start));
                return;
            }
            User user = new User(
                    this, plan.requests().get(users.size() % plan.requests().size()));
            users.add(user);
            user.connect();
        }
    }

    @Override
    Duration elapsed() {
        if (users.isEmpty()) {
            return Duration.ZERO;
        }
        long now = nanos();
        long last = now - countUntil < 0 ? now : countUntil;
        return Duration.ofNanos(Math.max(0, last - countFrom));
    }

    @Override
    long disconnect() {
        measurement().onUnserved(users.stream().filter(user -> !user.isServed()).count());
        return users.stream().mapToLong(User::leave).sum();
    }

    /**
     * One user of a {@link ClosedLoop}. In the state AWAY the user waits before it connects again; in the state THINKING it pauses after a
     * response.
     *
     * <pre>
     *   AWAY ──> CONNECTING ──> CALLING <──> THINKING      from each: LEFT
     *    ^            └────────────┴─────────────┤
     *    └───────────────────────────────────────┘
     * </pre>
     *
     * Thread: the thread of the {@code ClientLoop}. Owns: its connection.
     */
    static final class User implements Exchange, HttpConnection.Listener {
        /**
         * The pause after a failed connection. The server may be starting, and attempts without pauses would delay the other users of the
         * loop.
         */
        private static final int MILLIS_BEFORE_COMING_BACK = 100;

        private enum State {
            AWAY,
            CONNECTING,
            CALLING,
            THINKING,
            LEFT
        }

        private final ClosedLoop crowd;
        private final Request request;
        private final long thinkMillis;
        private final long deadline;
        private final long[] sentAt;
        private @Nullable HttpConnection connection;
        private State state = State.AWAY;
        private long connectingSince;
        private int sent;
        private int ended;
        private boolean served;

        User(ClosedLoop crowd, Request request) {
            this.crowd = crowd;
            this.request = request;
            ClosedPlan plan = crowd.plan();
            this.thinkMillis = plan.think().toMillis();
            this.deadline = plan.deadline().toNanos();
            this.sentAt = new long[plan.pipelining()];
        }

        void connect() {
            if (state == State.LEFT) {
                return;
            }
            state = State.CONNECTING;
            connectingSince = crowd.nanos();
            try {
                connection = HttpConnection.open(crowd.loop(), request.target().address(), this);
            } catch (CallException cannot) {
                crowd.measurement().onFailedAttempt();
                fail(cannot);
                comeBackLater();
            }
        }

        /** Whether the user has had a counted response with a status of 2xx. */
        boolean isServed() {
            return served;
        }

        /** Closes the connection, and returns the number of requests that had no response yet. */
        int leave() {
            int underWay = state == State.CALLING ? sent - ended : 0;
            state = State.LEFT;
            if (connection != null) {
                connection.close();
            }
            return underWay;
        }

        @Override
        public void onOpen(HttpConnection opened) {
            crowd.measurement().onConnect(crowd.nanos() - connectingSince);
            call(opened);
        }

        @Override
        public void onComplete(int status) {
            long now = crowd.nanos();
            if (crowd.counts(now)) {
                crowd.measurement().onAnswer(status, now - sentAt[ended]);
                served |= status >= 200 && status < 300;
            }
            ended++;
            if (ended == sent && state == State.CALLING) {
                next();
            }
        }

        @Override
        public void onFailure(CallException failure) {
            ended++;
            fail(failure);
        }

        @Override
        public void onClosed(HttpConnection closed, @Nullable CallException cause) {
            connection = null;
            if (state == State.CONNECTING && cause != null) {
                // No request was sent on this connection, so onFailure was not called. The failure must be counted
                // here.
                crowd.measurement().onFailedAttempt();
                fail(cause);
            }
            if (state == State.THINKING) {
                // The user connects again at the end of its think time.
                return;
            }
            if (cause == null || cause.failure() == Failure.DEADLINE) {
                connect();
            } else {
                comeBackLater();
            }
        }

        private void next() {
            if (thinkMillis > 0) {
                state = State.THINKING;
                crowd.loop().after(thinkMillis, this::onThought);
            } else if (connection != null && connection.isOpen()) {
                call(connection);
            }
            // Otherwise the server has closed the connection after its response, and onClosed is called next.
        }

        private void onThought() {
            if (state != State.THINKING) {
                return;
            }
            if (connection != null && connection.isOpen()) {
                call(connection);
            } else {
                connect();
            }
        }

        private void call(HttpConnection open) {
            state = State.CALLING;
            ended = 0;
            sent = 0;
            while (sent < sentAt.length && open.isOpen()) {
                long now = crowd.nanos();
                sentAt[sent++] = now;
                open.send(request, now + deadline, this);
            }
        }

        private void fail(CallException failure) {
            if (state != State.LEFT && crowd.counts(crowd.nanos())) {
                crowd.measurement().onFailure(failure);
            }
        }

        private void comeBackLater() {
            if (state != State.LEFT) {
                state = State.AWAY;
                crowd.loop().after(MILLIS_BEFORE_COMING_BACK, this::connect);
            }
        }
    }
}
