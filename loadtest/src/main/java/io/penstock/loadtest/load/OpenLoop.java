package io.penstock.loadtest.load;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Failure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests at a constant rate over persistent connections. A request is due at its time, however slowly the earlier ones are
 * answered, and its latency counts from that time. So a pause of the server shows in all requests that were due meanwhile; the
 * load does not wait with the server.
 *
 * <p>Owns: its lanes, each with a connection.
 */
public final class OpenLoop extends Load {
    /** Gets the result of each request that counts. Thread: only the loop calls it; it must not wait. */
    public interface Observer {

        /**
         * A request has ended.
         *
         * @param dueNanos the time when it was due, from the load's start
         * @param latencyNanos from then to its end
         * @param status of its response; 0 if there was none
         * @param failure the reason why there was no response; null if there was one
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
    /** The number of requests that have become due. */
    private long due;
    /**
     * The number of requests that have been sent, or dropped at their deadline; the others up to {@code due} wait for a
     * connection.
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
        // A request waits if all connections are in use, but it fails if the loop refuses to open one. So the loop's
        // own limit must not be exceeded.
        this.mostLanes = Math.min(plan.maxConnections(), loop.settings().maxConnections());
    }

    OpenPlan plan() {
        return plan;
    }

    /** Whether a request counts. */
    boolean counts(long index) {
        return index >= plan.warmUpRequests();
    }

    long dueAt(long index) {
        return start + plan.dueAfter(index);
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

    /** Sends due requests as far as there are connections, except those whose deadline has passed. */
    private void sendUnsent(long now) {
        while (sent < due && isRunning()) {
            if (now - dueAt(sent) >= plan.deadline().toNanos()) {
                giveUp(sent++);
            } else if (!free.isEmpty()) {
                // The connection that was used last is used next, so no more connections are kept than needed.
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

    /** A request was answered. */
    void onAnswer(long index, int status) {
        if (counts(index)) {
            measurement().onAnswer(status, nanos() - dueAt(index));
            tell(index, status, null);
        }
        onDone();
    }

    /** A request was not answered. */
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

    /** A connection is ready for another request. */
    void onFree(Lane lane) {
        free.addLast(lane);
        sendUnsent(nanos());
    }

    /** A connection has ended. */
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
}
