package io.penstock.exchange;

import io.penstock.reactor.Reactor;
import io.penstock.time.Saturated;
import io.penstock.time.TimerWheel;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Lets only a few large bodies arrive at a time if their clients send faster than the server reads. If all arrived side by side, the first
 * bytes of a body would have left the processor's cache before its last bytes came and a worker read it.
 *
 * <p>A turn ends after {@link #LONGEST}, since the client is not that fast. The rest of its body arrives without a turn. So a client that
 * begins fast and then stalls does not keep others waiting, and neither does a body of gigabytes.
 *
 * <p>Thread: the reactor. Owns: the line, the running turns, and a timer that is on while somebody waits.
 */
public final class BodyTurns {
    /**
     * The number of turns at one time. Half as many did not increase the throughput further; with twice as many most of the gain was lost.
     */
    static final int MOST = 4;

    /** The longest turn. A body of some megabytes needs less time at full speed. */
    static final Duration LONGEST = Duration.ofMillis(4);

    private final Reactor reactor;
    private final ArrayDeque<Turn> line = new ArrayDeque<>();
    private final ArrayDeque<Turn> running = new ArrayDeque<>(); // the oldest first
    private final TimerWheel.Timer timer = new TimerWheel.Timer() {
        @Override
        protected void expired() {
            goOn();
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

        /** @param whenCalled runs when a body that had to wait may arrive */
        public Turn(Runnable whenCalled) {
            this.whenCalled = whenCalled;
        }
    }

    /** Whether the body may arrive now. If not, it is called when it may. */
    public boolean mayArrive(Turn turn) {
        if (turn.state == Turn.State.NEW) {
            goOn();
            if (running.size() < MOST) { // so no body waits
                begin(turn);
            } else {
                turn.state = Turn.State.WAITS;
                line.add(turn);
                watch();
            }
        }
        return turn.state != Turn.State.WAITS;
    }

    /** The body is whole, or will not arrive. Idempotent. */
    public void end(Turn turn) {
        Turn.State before = turn.state;
        turn.state = Turn.State.OVER;
        if (before == Turn.State.WAITS) {
            line.remove(turn);
        } else if (before == Turn.State.RUNS) {
            running.remove(turn);
            goOn();
        }
    }

    private void goOn() {
        endLate();
        for (Turn next = next(); next != null; next = next()) {
            begin(next);
            next.whenCalled.run();
        }
        watch();
    }

    private @Nullable Turn next() {
        return running.size() < MOST ? line.poll() : null;
    }

    private void begin(Turn turn) {
        turn.state = Turn.State.RUNS;
        turn.ends = reactor.now() + Saturated.nanos(LONGEST);
        running.add(turn);
    }

    private void endLate() {
        for (Turn oldest = running.peek(); oldest != null && oldest.ends <= reactor.now(); oldest = running.peek()) {
            oldest.state = Turn.State.OVER;
            running.remove();
        }
    }

    private void watch() {
        Turn oldest = running.peek();
        if (line.isEmpty() || oldest == null) {
            reactor.fineWheel().cancel(timer);
        } else {
            reactor.fineWheel().set(timer, oldest.ends);
        }
    }
}
