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
 * <p>A turn is the permission to receive one body. A turn lasts at most {@link #LONGEST}. A body that is not complete at the
 * end of its turn is very large, or its client is slow. The server receives the remaining bytes of such a body without a turn. So a slow
 * client or a body of gigabytes does not delay other bodies.
 *
 * <p>Thread: the reactor. Owns: the waiting turns, the running turns, and a timer that runs while a turn waits.
 */
public final class BodyTurns {
    /**
     * The largest number of turns at the same time. In measurements, 2 turns gave no more throughput than 4 turns. With 8 turns, most of
     * the benefit was lost.
     */
    static final int MOST = 4;

    /** The longest duration of a turn. At full speed, the server receives a body of some megabytes in less time. */
    static final Duration LONGEST = Duration.ofMillis(4);

    private final Reactor reactor;
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private final ArrayDeque<Turn> running = new ArrayDeque<>(); // the oldest turn first
    private final TimerWheel.Timer timer = new TimerWheel.Timer() {
        @Override
        protected void expired() {
            startWaiting();
        }
    };

    BodyTurns(Reactor reactor) {
        this.reactor = reactor;
    }

    /**
     * The turn of one body, and the state of this turn.
     *
     * <pre>
     *   NEW --mayArrive--> WAITS --called--> RUNS --longest, end--> OVER
     *                        +--------------end-----------------------^
     * </pre>
     */
    public static final class Turn {
        private enum State {
            NEW,
            WAITS,
            RUNS,
            OVER
        }

        private final Runnable whenCalled;
        private State state = State.NEW;
        private long ends;

        /** @param whenCalled the action that runs when the turn begins, if the body had to wait */
        public Turn(Runnable whenCalled) {
            this.whenCalled = whenCalled;
        }
    }

    /** Whether the server may receive the body now. If the result is false, {@code whenCalled} of the turn runs when the turn begins. */
    public boolean mayArrive(Turn turn) {
        if (turn.state == Turn.State.NEW) {
            startWaiting();
            // If fewer than MOST turns are running after startWaiting(), no other body waits.
            if (running.size() < MOST) {
                begin(turn);
            } else {
                turn.state = Turn.State.WAITS;
                waiting.add(turn);
                watch();
            }
        }
        return turn.state != Turn.State.WAITS;
    }

    /** Ends the turn of a body that is complete or will never be complete. Idempotent. */
    public void end(Turn turn) {
        Turn.State before = turn.state;
        turn.state = Turn.State.OVER;
        if (before == Turn.State.WAITS) {
            waiting.remove(turn);
        } else if (before == Turn.State.RUNS) {
            running.remove(turn);
            startWaiting();
        }
    }

    private void startWaiting() {
        endOverdue();
        for (Turn next = next(); next != null; next = next()) {
            begin(next);
            next.whenCalled.run();
        }
        watch();
    }

    private @Nullable Turn next() {
        return running.size() < MOST ? waiting.poll() : null;
    }

    private void begin(Turn turn) {
        turn.state = Turn.State.RUNS;
        turn.ends = reactor.now() + Saturated.nanos(LONGEST);
        running.add(turn);
    }

    private void endOverdue() {
        for (Turn oldest = running.peek(); oldest != null && oldest.ends <= reactor.now(); oldest = running.peek()) {
            oldest.state = Turn.State.OVER;
            running.remove();
        }
    }

    private void watch() {
        Turn oldest = running.peek();
        if (waiting.isEmpty() || oldest == null) {
            reactor.fineWheel().cancel(timer);
        } else {
            reactor.fineWheel().set(timer, oldest.ends);
        }
    }
}
