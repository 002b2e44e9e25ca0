package io.penstock.exchange;

import io.penstock.reactor.Reactor;
import io.penstock.time.Saturated;
import io.penstock.time.TimerWheel;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Lets only a few large bodies arrive at a time, if their clients send faster than the server reads. If all large bodies arrived in
 * parallel, the first bytes of a body would no longer be in the processor's cache when a worker reads them.
 *
 * <p>A turn ends after {@link #LONGEST} at the latest. If the body is not complete then, the client is slow, or the body is very large. The
 * rest of the body arrives without a turn. So a client that stalls and a body of gigabytes do not delay the other bodies.
 *
 * <p>Thread: the reactor. Owns: the waiting turns, the running turns, and a timer that is on while a turn waits.
 */
public final class BodyTurns {
    /** The number of turns at one time. Half as many gave no more throughput; twice as many lost most of the gain. */
    static final int MOST = 4;

    /** The longest turn. At full speed, a body of some megabytes takes less time. */
    static final Duration LONGEST = Duration.ofMillis(4);

    private final Reactor reactor;
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private final ArrayDeque<Turn> running = new ArrayDeque<>(); // the oldest first
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
     * The turn of one body.
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

        /** @param whenCalled runs when the body has waited and may now arrive */
        public Turn(Runnable whenCalled) {
            this.whenCalled = whenCalled;
        }
    }

    /** Whether the body may arrive now. If not, the turn's {@code whenCalled} runs when the body may arrive. */
    public boolean mayArrive(Turn turn) {
        if (turn.state == Turn.State.NEW) {
            startWaiting();
            // If a turn is free after startWaiting(), no other body waits for it.
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

    /** The body is complete, or will never be complete. Idempotent. */
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
