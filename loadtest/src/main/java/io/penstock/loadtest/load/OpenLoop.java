package io.penstock.loadtest.load;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.HttpConnection;
import io.penstock.loadtest.client.HttpConnection.Exchange;
import io.penstock.loadtest.client.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests at a constant rate over persistent connections (an open loop). Each request is due at a fixed time, even if earlier
 * requests are not answered yet. Its latency is counted from that time. So a pause of the server increases the latencies of all requests
 * that were due during the pause.
 *
 * <p>Owns: its {@link Lane}s; each has one connection.
 */
public final class OpenLoop extends Load {
    /** Receives the result of each request after the warm-up. Thread: the thread of the {@link ClientLoop}, so the method must not wait. */
    public interface Observer {

        /**
         * Called when a request has ended, with or without a response.
         *
         * @param dueNanos the time at which the request was due, in nanoseconds from the start of the load
         * @param latencyNanos the time from {@code dueNanos} to the end of the request, in nanoseconds
         * @param status the status of the response; 0 if there was no response
         * @param failure the reason for which there was no response; null if there was a response
         */
        void onEnd(long dueNanos, long latencyNanos, int status, @Nullable Failure failure);
    }

    private static final Observer NOBODY = (dueNanos, latencyNanos, status, failure) -> {};

    private final OpenPlan plan;
    private final Observer observer;
    private final int mostLanes;
    private final Runnable onDue = this::sendDue;
    private final Set<Lane> lanes = new HashSet<>();
    private final Deque<Lane> free = new ArrayDeque<>();
    private long start;
    private long due;
    /**
     * The number of requests that have been sent, or given up at their deadline. The requests from {@code sent} to {@code due} are waiting
     * for a connection.
     */
    private long sent;

    private long done;
    private long lastDone;

    public OpenLoop(ClientLoop loop, OpenPlan plan) {
        this(loop, plan, NOBODY);
    }

    public OpenLoop(ClientLoop loop, OpenPlan plan, Observer observer) {
        super(loop, plan.deadline());
        this.plan = plan;
        this.observer = observer;
        // If all connections are in use, a request waits. If the loop has reached its own limit, opening a connection
        // fails. So the number of connections must not exceed the limit of the loop.
        this.mostLanes = Math.min(plan.maxConnections(), loop.settings().maxConnections());
    }

    OpenPlan plan() {
        return plan;
    }

    /** Whether a request is counted. Requests of the warm-up are not counted. */
    boolean counts(long index) {
        return index >= plan.warmUpRequests();
    }

    long dueAt(long index) {
        return start + plan.dueAfter(index);
    }

    /**
     * Sends one request before the load. If there is no server, the command can fail at once.
     *
     * @throws IOException with a message for the user if there is no response; a response of any status is enough
     */
    public static void checkReachable(ClientLoop loop, Request request, Duration deadline)
            throws IOException, InterruptedException {
        OpenPlan one = OpenPlan.ofRequests(request, 1, 1).withDeadline(deadline);
        LoadResult result = new OpenLoop(loop, one).await();
        if (result.failed() > 0) {
            throw new IOException(request.target().authority() + " does not answer: " + result.firstTrouble()
                    + "; check that the server runs and that the URL is right");
        }
    }

    @Override
    void begin() {
        start = nanos();
        sendDue();
    }

    private void sendDue() {
        if (!isRunning()) {
            return;
        }
        long now = nanos();
        while (due < plan.all() && dueAt(due) - now <= 0) {
            onDue(due++, now);
        }
        if (due < plan.all()) {
            loop().at(dueAt(due), onDue);
        }
        sendUnsent(now);
    }

    private void onDue(long index, long now) {
        if (index == plan.warmUpRequests()) {
            measurement().begin();
        }
        if (counts(index)) {
            measurement().onLag(now - dueAt(index));
        }
    }

    /** Sends the requests that are due, as long as a connection is free or can be opened. Gives up requests whose deadline has passed. */
    private void sendUnsent(long now) {
        while (sent < due && isRunning()) {
            if (now - dueAt(sent) >= plan.deadline().toNanos()) {
                giveUp(sent++);
            } else if (!free.isEmpty()) {
                // The connection that was used last is used next. So no more connections are used than necessary.
                free.removeLast().ask(sent++);
            } else if (lanes.size() < mostLanes) {
                open(sent++);
            } else {
                return;
            }
        }
    }

    private void open(long index) {
        Lane lane = new Lane(this);
        try {
            lane.open();
        } catch (CallException cannot) {
            onFailure(index, cannot);
            return;
        }
        lanes.add(lane);
        lane.ask(index);
    }

    private void giveUp(long index) {
        if (counts(index)) {
            measurement().onDeadlineBeforeSending();
            tell(index, 0, Failure.DEADLINE);
        }
        onDone();
    }

    void onAnswer(long index, int status) {
        if (counts(index)) {
            measurement().onAnswer(status, nanos() - dueAt(index));
            tell(index, status, null);
        }
        onDone();
    }

    void onFailure(long index, CallException failure) {
        if (counts(index)) {
            measurement().onFailure(failure);
            tell(index, 0, failure.failure());
        }
        onDone();
    }

    private void tell(long index, int status, @Nullable Failure failure) {
        observer.onEnd(dueAt(index) - start, nanos() - dueAt(index), status, failure);
    }

    /** Called by a lane when its connection is ready for another request. */
    void onFree(Lane lane) {
        free.addLast(lane);
        sendUnsent(nanos());
    }

    /** Called by a lane when its connection has ended. */
    void onGone(Lane lane) {
        lanes.remove(lane);
        free.remove(lane);
        sendUnsent(nanos());
    }

    private void onDone() {
        done++;
        lastDone = nanos();
        if (done == plan.all()) {
            end();
        }
    }

    @Override
    Duration elapsed() {
        long from = dueAt(plan.warmUpRequests());
        long to = done == plan.all() ? lastDone : nanos();
        return Duration.ofNanos(start == 0 ? 0 : Math.max(0, to - from));
    }

    @Override
    long disconnect() {
        lanes.forEach(Lane::close);
        return Math.min(due - done, Math.max(0, due - plan.warmUpRequests()));
    }

    /** One persistent connection of an {@link OpenLoop}. It carries one request at a time. Thread: the thread of the {@code ClientLoop}. */
    static final class Lane implements Exchange, HttpConnection.Listener {
        private final OpenLoop road;
        private final long deadline;
        private @Nullable HttpConnection connection;
        private long openedAt;
        private long index;

        Lane(OpenLoop road) {
            this.road = road;
            this.deadline = road.plan().deadline().toNanos();
        }

        /** Starts to make the connection. {@link #ask} can be called at once. */
        void open() throws CallException {
            openedAt = road.nanos();
            connection = HttpConnection.open(
                    road.loop(), road.plan().request().target().address(), this);
        }

        void ask(long request) {
            if (connection == null) {
                throw new IllegalStateException("There is no connection");
            }
            index = request;
            connection.send(road.plan().request(), road.dueAt(request) + deadline, this);
        }

        void close() {
            if (connection != null) {
                connection.close();
            }
        }

        @Override
        public void onOpen(HttpConnection opened) {
            road.measurement().onConnect(road.nanos() - openedAt);
        }

        @Override
        public void onComplete(int status) {
            road.onAnswer(index, status);
            if (road.isRunning() && connection != null && connection.isOpen()) {
                road.onFree(this);
            }
            // Otherwise the server has closed the connection after its response, and onClosed is called next.
        }

        @Override
        public void onFailure(CallException failure) {
            road.onFailure(index, failure);
        }

        @Override
        public void onClosed(HttpConnection closed, @Nullable CallException cause) {
            road.onGone(this);
        }
    }
}
