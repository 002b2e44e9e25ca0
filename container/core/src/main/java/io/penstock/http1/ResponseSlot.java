package io.penstock.http1;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Decides which response of a connection is the current response. Only the current response may be written to the connection. The responses
 * become current in the order of the requests. Up to {@link #MAX_PARKED} further responses are parked until the responses before them are
 * complete.
 *
 * <pre>
 *   IDLE --begin--> CURRENT --begin--> PARKED (begin adds a response, next removes a response)
 *    ^                 |  ^               |
 *    +------next-------+  +--last next----+
 *     any --onClosed, takeParked--> CLOSED
 * </pre>
 *
 * <p>Thread: {@link #begin}, {@link #onClosed} and {@link #takeParked}: the reactor. {@link #next}: the thread that has finished the current response. The other
 * methods: any.
 */
final class ResponseSlot {

    /** The highest number of parked responses. */
    static final int MAX_PARKED = 16;

    /** The response to one request, which is parked while an earlier response is current. */
    interface Parkable {

        /** Called if the connection ends before the response begins. */
        void discard();
    }

    private sealed interface State {}

    private enum Mark implements State {
        IDLE,
        CURRENT,
        CLOSED
    }

    /** A response runs, and other responses are parked behind it. This object is never modified. */
    private static final class Parked implements State {
        private final Parkable[] inOrder;

        Parked(Parkable... inOrder) {
            this.inOrder = inOrder;
        }

        Parked behind(Parkable last) {
            Parkable[] more = Arrays.copyOf(inOrder, inOrder.length + 1);
            more[inOrder.length] = last;
            return new Parked(more);
        }

        State withoutFirst() {
            return inOrder.length == 1 ? Mark.CURRENT : new Parked(Arrays.copyOfRange(inOrder, 1, inOrder.length));
        }
    }

    /** The result of {@link #begin}. */
    enum Begun {
        /** The slot was free, so the response is the current response. */
        CURRENT,
        /** Another response is current. The thread that ends the response directly before this response will begin it. */
        PARKED,
        /** The connection has ended. */
        REFUSED
    }

    // A field updater saves one atomic object for each connection.
    private static final AtomicReferenceFieldUpdater<ResponseSlot, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(ResponseSlot.class, State.class, "state");

    private volatile State state = Mark.IDLE;

    Begun begin(Parkable response) {
        while (true) {
            State now = state;
            if (now == Mark.CLOSED) {
                return Begun.REFUSED;
            }
            State next;
            if (now instanceof Parked parked) {
                if (parked.inOrder.length == MAX_PARKED) {
                    throw new IllegalStateException("too many responses are parked");
                }
                next = parked.behind(response);
            } else {
                next = now == Mark.IDLE ? Mark.CURRENT : new Parked(response);
            }
            if (STATE.compareAndSet(this, now, next)) {
                return now == Mark.IDLE ? Begun.CURRENT : Begun.PARKED;
            }
        }
    }

    /**
     * Ends the current response, because it is complete. Returns the first parked response, which runs now; null if no response is parked.
     */
    @Nullable
    Parkable next() {
        while (true) {
            State now = state;
            if (now == Mark.CLOSED) {
                return null;
            }
            if (now == Mark.IDLE) {
                throw new IllegalStateException("there is no current response");
            }
            Parked parked = now instanceof Parked some ? some : null;
            if (STATE.compareAndSet(this, now, parked == null ? Mark.IDLE : parked.withoutFirst())) {
                return parked == null ? null : parked.inOrder[0];
            }
        }
    }

    /** Whether no response runs. */
    boolean isIdle() {
        return state == Mark.IDLE;
    }

    /** How many responses are parked. */
    int parked() {
        return state instanceof Parked parked ? parked.inOrder.length : 0;
    }

    /** The response that was parked last; null if none is parked. */
    @Nullable
    Parkable lastParked() {
        return state instanceof Parked parked ? parked.inOrder[parked.inOrder.length - 1] : null;
    }

    /** The parked responses in their order. */
    List<Parkable> parkedInOrder() {
        return state instanceof Parked parked ? List.of(parked.inOrder) : List.of();
    }

    /** Called when the connection has closed. Discards the parked responses. */
    void onClosed() {
        takeParked().forEach(Parkable::discard);
    }

    /** Called when no further response will begin. Returns the parked responses. The caller must discard them. */
    List<Parkable> takeParked() {
        return STATE.getAndSet(this, Mark.CLOSED) instanceof Parked parked ? List.of(parked.inOrder) : List.of();
    }
}
