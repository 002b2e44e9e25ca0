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
 * The time limit of one call into the application. When the time has passed, the worker is interrupted. If the call is still running after
 * twice the time, the server sends a response with the status 503. If part of the application's response has been sent, the server aborts
 * that response instead.
 *
 * <p>Thread: the worker calls {@link #begin} and {@link #end}. The scheduler interrupts the worker when the time has passed. The interrupt
 * and {@code end} both need the monitor. So no interrupt comes after {@code end}, and {@code end} clears an earlier interrupt. An interrupt
 * therefore cannot affect the worker's next job. The exchange is notified outside the monitor, since the worker must not wait for a
 * listener.
 *
 * <pre>
 *   RUNNING --time--> OVERDUE --notified--> INTERRUPTED --time--> OVERRUN
 *      any --end--> ENDED
 * </pre>
 */
final class ServiceDeadline {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceDeadline.class);

    private enum State {
        RUNNING,
        OVERDUE,
        INTERRUPTED,
        OVERRUN,
        ENDED
    }

    private final ServerResources server;
    private final RunningExchange exchange;
    private final Duration time;
    private final Thread worker = Thread.currentThread();

    @GuardedBy("this")
    private State state = State.RUNNING;

    @GuardedBy("this")
    private @Nullable Future<?> pending;

    private ServiceDeadline(ServerResources server, RunningExchange exchange, Duration time) {
        this.server = server;
        this.exchange = exchange;
        this.time = time;
    }

    /** Begins the deadline of a call of an exchange that runs on the calling thread. */
    static ServiceDeadline begin(ServerResources server, RunningExchange exchange, Duration time) {
        ServiceDeadline deadline = new ServiceDeadline(server, exchange, time);
        deadline.arm();
        return deadline;
    }

    private synchronized void arm() {
        pending = server.scheduler().after(time, this::passed);
    }

    /** Ends the deadline after the call has returned. Thread: the worker of the exchange. */
    void end() {
        State before;
        synchronized (this) {
            before = state;
            state = State.ENDED;
            if (pending != null) {
                pending.cancel(false);
            }
        }
        if (before == State.INTERRUPTED || before == State.OVERRUN) {
            // Clear an interrupt that the call has not consumed. The interrupt must not affect the worker's next
            // request.
            Thread.interrupted();
        }
    }

    /** The time has passed. Thread: the scheduler. */
    private void passed() {
        switch (next()) {
            case OVERDUE -> {
                try {
                    exchange.overdue();
                } finally {
                    interrupt();
                }
            }
            case OVERRUN -> {
                LOG.warn(
                        "Request {} ({}) still runs on {} after twice its {}: its response ends without it",
                        exchange.id(),
                        exchange.line(),
                        worker.getName(),
                        Key.SERVICE_TIMEOUT.id());
                exchange.overrun();
            }
            case RUNNING, INTERRUPTED, ENDED -> {
                // The call has just returned, and the state is ENDED. next() never returns RUNNING or INTERRUPTED.
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

    /** Interrupts the worker. Does nothing if the call has returned while {@link RunningExchange#overdue} was running. */
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
                exchange.id(),
                exchange.line(),
                worker.getName(),
                Key.SERVICE_TIMEOUT.id(),
                Saturated.millis(time));
    }
}
