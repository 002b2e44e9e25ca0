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
 * The time that one call into the application has. When it has passed, the worker is interrupted. If the call still runs when as much time
 * has passed again, its client is answered without it.
 *
 * <p>Thread: begun and ended by the worker; time passes on the keeper. The monitor puts interrupt and end into an order: no interrupt
 * comes after the end, and one that came before it is taken back, so that it cannot hit what the worker does next. The call is not notified under
 * the monitor: the worker must not wait for a listener.
 *
 * <pre>
 *   RUNNING --time--> OVERDUE --notified--> INTERRUPTED --time--> OVERRUN
 *      any --end--> ENDED
 * </pre>
 */
public final class ServiceDeadline {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceDeadline.class);

    /** A call into the application. Thread: the keeper. */
    public interface Call {

        /** Names its request in the log. */
        String id();

        /** Method and path, for the log. */
        String line();

        /** It has run for longer than it may, and is about to be interrupted. */
        void overdue();

        /** It goes on after its interrupt: its client is to be answered without it. */
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

    /** The deadline of a call that begins on this thread; null if calls have all the time that they want. */
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
        pending = server.keeper().after(time, this::passed);
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
            Thread.interrupted(); // ours, and not used up: the next request must not get it
        }
    }

    /** Thread: the keeper. */
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
                        "Request {} ({}) still runs on {}, twice its {}: its client is given up",
                        call.id(),
                        call.line(),
                        worker.getName(),
                        Key.SERVICE_TIMEOUT.id());
                call.overrun();
            }
            case RUNNING, INTERRUPTED, ENDED -> {
                // the call has returned in time, if only just
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

    /** Unless the call has returned while it was notified. */
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
