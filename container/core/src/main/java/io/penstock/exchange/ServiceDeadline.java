package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Key;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time limit of one call into the application. When it has passed, the worker is interrupted. If the call still runs after the same
 * time again, the server itself answers the client.
 *
 * <p>Thread: the worker begins and ends the deadline; the scheduler acts when the time has passed. Interrupt and end are ordered by the
 * monitor: no interrupt comes after the end, and the end clears an earlier interrupt. So an interrupt cannot affect the worker's next job.
 * The call is notified outside the monitor, since the worker must not wait for a listener.
 *
 * <pre>
 *   RUNNING --time--> OVERDUE --notified--> INTERRUPTED --time--> OVERRUN
 *      any --end--> ENDED
 * </pre>
 */
public final class ServiceDeadline {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceDeadline.class);

    /** A call into the application. Thread: the scheduler. */
    public interface Call {

        /** The identifier of the call's request, for the log. */
        String id();

        /** The method and path of the request, for the log. */
        String line();

        /** The call has exceeded its time, and will now be interrupted. */
        void overdue();

        /** The call still runs after its interrupt: the server must answer the client. */
        void overrun();
    }

    private enum State {
        RUNNING,
        OVERDUE,
        INTERRUPTED,
        OVERRUN,
        ENDED
    }

    private final ServerResources server;
    private final Call call;
    private final Duration time;
    private final Thread worker = Thread.currentThread();

    @GuardedBy("this")
    private State state = State.RUNNING;

    @GuardedBy("this")
    private @Nullable Future<?> pending;

    private ServiceDeadline(ServerResources server, Call call, Duration time) {
        this.server = server;
        this.call = call;
        this.time = time;
    }

    /** Begins the deadline of a call on this thread; null if calls have no time limit. */
    public static @Nullable ServiceDeadline begin(ServerResources server, Call call) {
        Duration time = server.config().service().call();
        if (time.isZero()) {
            return null;
        }
        ServiceDeadline deadline = new ServiceDeadline(server, call, time);
        deadline.arm();
        return deadline;
    }

    private synchronized void arm() {
        pending = server.scheduler().after(time, this::passed);
    }

    /** The call has returned. Thread: its worker. */
    public void end() {
        State before;
        synchronized (this) {
            before = state;
            state = State.ENDED;
            if (pending != null) {
                pending.cancel(false);
            }
        }
        if (before == State.INTERRUPTED || before == State.OVERRUN) {
            Thread.interrupted(); // clears an interrupt that the call has not consumed, before the next request
        }
    }

    /** Thread: the scheduler. */
    private void passed() {
        switch (next()) {
            case OVERDUE -> {
                try {
                    call.overdue();
                } finally {
                    interrupt();
                }
            }
            case OVERRUN -> {
                LOG.warn(
                        "Request {} ({}) still runs on {} after twice its {}: its connection is closed",
                        call.id(),
                        call.line(),
                        worker.getName(),
                        Key.SERVICE_TIMEOUT.id());
                call.overrun();
            }
            case RUNNING, INTERRUPTED, ENDED -> {
                // the call has just returned in time
            }
        }
    }

    private synchronized State next() {
        if (state == State.RUNNING) {
            state = State.OVERDUE;
        } else if (state == State.INTERRUPTED) {
            state = State.OVERRUN;
        }
        return state;
    }

    /** Interrupts the worker, unless the call has returned during its notification. */
    private void interrupt() {
        synchronized (this) {
            if (state != State.OVERDUE) {
                return;
            }
            state = State.INTERRUPTED;
            worker.interrupt();
            arm();
        }
        LOG.warn(
                "Request {} ({}) on {} has run for longer than {} of {} ms and is interrupted",
                call.id(),
                call.line(),
                worker.getName(),
                Key.SERVICE_TIMEOUT.id(),
                Saturated.millis(time));
    }
}
