package io.penstock.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.HelpPage;
import io.penstock.store.StoreUnavailableException;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the number of threads that wait while a session store does not answer.
 *
 * <p>Threads that may call the store are inside the gate; their number is limited. Further threads wait until a thread leaves, as long as
 * the store answers. If a call fails because the store cannot be reached, only one thread at a time may enter and try a call, until a call
 * succeeds. The other threads wait a short time ({@code TRY}) for the result of this call. If the call has not succeeded by then, these
 * threads fail.
 *
 * <p>A thread enters the gate before it takes the lock of a session. So a thread that waits for the lock of a session is inside, too. A
 * thread that holds the lock of a session never waits for the gate.
 *
 * <pre>
 *   REACHABLE ──a call fails with StoreUnavailableException──▶ AWAY
 *       ▲────────────────a call succeeds─────────────────────────┘
 * </pre>
 *
 * <p>Thread: any. Calls of the store run without the gate's own lock.
 */
public final class StoreGate {
    private static final Logger LOG = LoggerFactory.getLogger(StoreGate.class);

    /**
     * The longest time that a thread waits to enter, as a multiple of {@link #patience}. This limit applies even if the store answers the
     * calls of other threads. If the store answers no call during the time {@link #patience}, the thread stops waiting earlier.
     */
    private static final int LONGEST_WAIT = 8;

    /** The time that a thread waits while another thread tries the store. A store that is available again answers within this time. */
    static final Duration TRY = Duration.ofMillis(20);

    /**
     * The gate that the thread is inside; null if there is none. If the thread is inside the gates of several servers, this is the gate
     * that it has entered last.
     */
    private static final ThreadLocal<@Nullable Visit> INSIDE = new ThreadLocal<>();

    private final int most;
    private final long patience;
    private final LongSupplier nanoTime;
    private final Runnable whenRefused;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private State state = State.REACHABLE;

    @GuardedBy("lock")
    private int threads;

    @GuardedBy("lock")
    private int waiting;

    /** The time when a thread last entered to try the unavailable store. */
    @GuardedBy("lock")
    private long tried;

    /** The time of the latest successful call, or of the latest entry of a thread while no other thread was inside. */
    @GuardedBy("lock")
    private long lastSign;

    /** The number of calls that have found the store unavailable. */
    @GuardedBy("lock")
    private long outages;

    /** @param outages the number of outages when the thread entered */
    private record Visit(StoreGate gate, long outages) {}

    private enum State {
        REACHABLE,
        AWAY
    }

    /** A call of the store. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws IOException;
    }

    /**
     * @param most the largest number of threads inside at one time
     * @param patience the time for which threads wait to enter, counted from the latest answer of the store
     * @param whenRefused counts a thread that may not enter
     */
    public StoreGate(int most, Duration patience, LongSupplier nanoTime, Runnable whenRefused) {
        this.most = most;
        this.patience = Saturated.nanos(patience);
        this.nanoTime = nanoTime;
        this.whenRefused = whenRefused;
    }

    /** The number of threads that are inside. */
    public int threads() {
        lock.lock();
        try {
            return threads;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs steps that may lead to several calls of the store.
     *
     * @throws StoreUnavailableException if the thread may not enter; in this case no step has run
     */
    <T extends @Nullable Object> T inside(Supplier<T> steps) throws StoreUnavailableException {
        Visit outer = INSIDE.get();
        if (outer != null && outer.gate == this) {
            return steps.get();
        }
        INSIDE.set(new Visit(this, enter()));
        try {
            return steps.get();
        } finally {
            if (outer == null) {
                INSIDE.remove();
            } else {
                INSIDE.set(outer);
            }
            leave();
        }
    }

    /**
     * Makes one call of the store, and records whether the store was available. If the thread is not inside yet, it enters for this call.
     */
    <T> T call(Call<T> call) throws IOException {
        Visit visit = INSIDE.get();
        if (visit != null && visit.gate == this) {
            requireNoOutageSince(visit);
            return made(call);
        }
        enter();
        try {
            return made(call);
        } finally {
            leave();
        }
    }

    /**
     * Throws if the store has become unavailable since the thread entered. Without this check, all threads that wait for the same session
     * would call the store one after the other, and each call would end with a time-out.
     */
    private void requireNoOutageSince(Visit visit) throws StoreUnavailableException {
        lock.lock();
        try {
            if (state == State.AWAY && outages > visit.outages) {
                throw refused();
            }
        } finally {
            lock.unlock();
        }
    }

    private <T> T made(Call<T> call) throws IOException {
        try {
            T result = call.run();
            answered();
            return result;
        } catch (StoreUnavailableException e) {
            away(e);
            throw e;
        }
    }

    private StoreUnavailableException refused() {
        whenRefused.run();
        return new StoreUnavailableException("the session store does not answer", null);
    }

    /** Waits until the thread may enter. Returns the number of outages so far. */
    private long enter() throws StoreUnavailableException {
        lock.lock();
        try {
            long arrival = nanoTime.getAsLong();
            if (threads == 0) {
                lastSign = arrival;
            }
            while (threads >= (state == State.REACHABLE ? most : 1)) {
                long left = until(arrival) - nanoTime.getAsLong();
                if (left <= 0 || state == State.AWAY && waiting >= most) {
                    throw refused();
                }
                waiting++;
                try {
                    changed.awaitNanos(left);
                } finally {
                    waiting--;
                }
            }
            if (state == State.AWAY) {
                tried = nanoTime.getAsLong();
            }
            threads++;
            return outages;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for the session store", e);
        } finally {
            lock.unlock();
        }
    }

    /** The time at which a thread that cannot enter stops waiting. */
    @GuardedBy("lock")
    private long until(long arrival) {
        return state == State.REACHABLE
                ? Math.min(lastSign + patience, arrival + LONGEST_WAIT * patience)
                : Math.min(tried, arrival) + Saturated.nanos(TRY);
    }

    private void answered() {
        boolean back;
        lock.lock();
        try {
            back = state == State.AWAY;
            state = State.REACHABLE;
            lastSign = nanoTime.getAsLong();
        } finally {
            lock.unlock();
        }
        if (back) {
            LOG.info("The session store answers again");
        }
    }

    private void away(StoreUnavailableException cause) {
        boolean first;
        lock.lock();
        try {
            first = state == State.REACHABLE;
            state = State.AWAY;
            outages++;
        } finally {
            lock.unlock();
        }
        if (first) {
            LOG.warn(
                    "The session store cannot be reached; requests with a session are answered 503 until it answers: {}{}",
                    cause.getMessage(),
                    HelpPage.SESSION_STORE.more());
        }
    }

    private void leave() {
        lock.lock();
        try {
            threads--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
