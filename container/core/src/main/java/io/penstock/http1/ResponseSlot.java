package io.penstock.http1;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The slot for the running response of a connection: one at a time, in the order of the requests. At most one more response is parked
 * behind it.
 *
 * <pre>
 *   IDLE --begin--> RUNNING --begin--> (one parked) --next--> RUNNING --next--> IDLE
 *     any --onClosed--> CLOSED
 * </pre>
 *
 * <p>Thread: {@link #begin}, {@link #onClosed} the reactor; {@link #next} the thread that has finished the running response.
 */
final class ResponseSlot {

    /** The response to one request. */
    interface Response {

        /** The connection ended before the response began. */
        void discard();
    }

    private enum Mark implements Response {
        IDLE,
        RUNNING,
        CLOSED;

        @Override
        public void discard() {
            throw new IllegalStateException(this + " is no response");
        }
    }

    /** The result of {@link #begin}. */
    enum Begun {
        /** The slot was free: the response runs now. */
        RUNS,
        /** Another response runs; the thread that ends it takes this one. */
        PARKED,
        /** The connection has ended. */
        REFUSED
    }

    // A field updater saves an atomic object for each connection.
    private static final AtomicReferenceFieldUpdater<ResponseSlot, Response> STATE =
            AtomicReferenceFieldUpdater.newUpdater(ResponseSlot.class, Response.class, "state");

    private volatile Response state = Mark.IDLE;

    Begun begin(Response response) {
        while (true) {
            Response now = state;
            if (now == Mark.CLOSED) {
                return Begun.REFUSED;
            }
            if (now != Mark.IDLE && now != Mark.RUNNING) {
                throw new IllegalStateException("a response is parked already");
            }
            Response next = now == Mark.IDLE ? Mark.RUNNING : response;
            if (STATE.compareAndSet(this, now, next)) {
                return now == Mark.IDLE ? Begun.RUNS : Begun.PARKED;
            }
        }
    }

    /** The running response is complete. Returns the parked one, which runs now; null if there is none. */
    @Nullable
    Response next() {
        while (true) {
            Response now = state;
            if (now == Mark.CLOSED) {
                return null;
            }
            if (now == Mark.IDLE) {
                throw new IllegalStateException("no response was running");
            }
            Response next = now == Mark.RUNNING ? Mark.IDLE : Mark.RUNNING;
            if (STATE.compareAndSet(this, now, next)) {
                return now == Mark.RUNNING ? null : now;
            }
        }
    }

    boolean isIdle() {
        return state == Mark.IDLE;
    }

    boolean isParked() {
        return !(state instanceof Mark);
    }

    /** The connection has closed. */
    void onClosed() {
        Response before = STATE.getAndSet(this, Mark.CLOSED);
        if (!(before instanceof Mark)) {
            before.discard();
        }
    }
}
