package io.penstock.exchange;

import io.penstock.reactor.Reactor;
import io.penstock.time.Saturated;
import io.penstock.time.TimerWheel;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of large request bodies that the server receives at the same time. The limit is used only for clients that send faster
 * than the server reads. If the server received all large bodies in parallel, the first bytes of a body would have left the processor's
 * cache before a worker reads them.
 *
 * <p>A large body needs a {@link Permit}. At most {@link #MAX} permits are granted at the same time. Waiting bodies get their permits in
 * the order of their arrival. A permit lasts {@link #SLICE}, and again as long if at least {@link #FAST} bytes of its body have arrived
 * meanwhile, but at most {@link #MAX_SLICES} times. A body that is not complete when its permit expires is very large, or its client is slow.
 * The server receives the remaining bytes of such a body without a permit. So a slow client or a body of gigabytes does not delay other
 * bodies.
 *
 * <p>Thread: the reactor. Owns: the waiting permits, the granted permits, and a timer that runs while a permit waits.
 */
public final class BodyPermits {
    /** A body needs a permit if at least this many bytes of the body, or of its current chunk, have not arrived yet. */
    static final int LARGE = 256 << 10;

    /**
     * The largest number of permits that are granted at the same time. In measurements, 2 permits gave no more throughput than 4 permits.
     * With 8 permits, most of the benefit was lost.
     */
    static final int MAX = 4;

    /** At full speed, the server receives a body of some megabytes in this time. */
    static final Duration SLICE = Duration.ofMillis(4);

    /** The bytes of a client that is fast, in a {@link #SLICE}, even if other programs use the processors. */
    static final int FAST = 64 << 10;

    static final int MAX_SLICES = 16;

    private final Reactor reactor;
    private final ArrayDeque<Permit> waiting = new ArrayDeque<>();
    private final ArrayDeque<Permit> granted = new ArrayDeque<>(); // the oldest permit first
    private final TimerWheel.Timer timer = new TimerWheel.Timer() {
        @Override
        protected void expired() {
            grantWaiting();
        }
    };

    BodyPermits(Reactor reactor) {
        this.reactor = reactor;
    }

    /**
     * The permission to receive one body, and the state of this permission. A permit is used once.
     *
     * <pre>
     *   NEW --mayArrive--> GRANTED --expiry, release--> RELEASED
     *    |                    ^                            ^
     *    +----mayArrive--> WAITS ---------release----------+
     * </pre>
     */
    public static final class Permit {
        private enum State {
            NEW,
            WAITS,
            GRANTED,
            RELEASED
        }

        private final Runnable whenGranted;
        private State state = State.NEW;
        private long expires;
        private int slices;
        private int arrived; // in the present slice

        /** @param whenGranted the action that runs when the permit is granted, if the body had to wait */
        public Permit(Runnable whenGranted) {
            this.whenGranted = whenGranted;
        }
    }

    /** Whether a body needs a permit: most of it has not arrived, and a worker gets it only as a whole. */
    public static boolean concern(IncomingBody body) {
        return !body.streams() && body.expected() >= LARGE;
    }

    /**
     * Whether the server may receive the body now. If the result is false, {@code whenGranted} of the permit runs when the permit is
     * granted. The result is also true after the permit has expired.
     */
    public boolean mayArrive(Permit permit) {
        if (permit.state == Permit.State.NEW) {
            grantWaiting();
            // If fewer than MAX permits are granted after grantWaiting(), no other body waits.
            if (granted.size() < MAX) {
                grant(permit);
            } else {
                permit.state = Permit.State.WAITS;
                waiting.add(permit);
                watch();
            }
        }
        return permit.state != Permit.State.WAITS;
    }

    /** Bytes of the body have arrived. */
    public void arrived(Permit permit, int bytes) {
        permit.arrived += bytes;
    }

    /** Releases the permit of a body that is complete or will never be complete. Idempotent. */
    public void release(Permit permit) {
        Permit.State before = permit.state;
        permit.state = Permit.State.RELEASED;
        if (before == Permit.State.WAITS) {
            waiting.remove(permit);
        } else if (before == Permit.State.GRANTED) {
            granted.remove(permit);
            grantWaiting();
        }
    }

    private void grantWaiting() {
        releaseExpired();
        for (Permit next = next(); next != null; next = next()) {
            grant(next);
            next.whenGranted.run();
        }
        watch();
    }

    private @Nullable Permit next() {
        return granted.size() < MAX ? waiting.poll() : null;
    }

    private void grant(Permit permit) {
        permit.state = Permit.State.GRANTED;
        permit.expires = reactor.now() + Saturated.nanos(SLICE);
        permit.slices++;
        permit.arrived = 0;
        granted.add(permit);
    }

    private void releaseExpired() {
        for (Permit oldest = granted.peek();
                oldest != null && oldest.expires <= reactor.now();
                oldest = granted.peek()) {
            granted.remove();
            if (oldest.arrived >= FAST && oldest.slices < MAX_SLICES) {
                grant(oldest);
            } else {
                oldest.state = Permit.State.RELEASED;
            }
        }
    }

    private void watch() {
        Permit oldest = granted.peek();
        if (waiting.isEmpty() || oldest == null) {
            reactor.fineWheel().cancel(timer);
        } else {
            reactor.fineWheel().set(timer, oldest.expires);
        }
    }
}
