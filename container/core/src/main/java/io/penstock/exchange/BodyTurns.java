package io.penstock.exchange;

import io.penstock.reactor.Reactor;
import io.penstock.time.Saturated;
import io.penstock.time.TimerWheel;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Large bodies whose clients send faster than the server reads arrive a few at a time. If all arrived side by side, their first bytes would
 * have left the processor's cache before the last ones came and a worker got them.
 *
 * <p>A turn ends after {@link #LONGEST}, since then the client is not so fast. Its body arrives on without a turn. So clients that fall
 * silent behind a fast beginning do not keep others waiting, nor does a body of gigabytes.
 *
 * <p>Thread: the reactor. Owns: the line, the running turns, and a timer that is on while somebody waits.
 */
public final class BodyTurns {
    /** With half as many a server answered no more requests; with twice as many most of the gain was lost. */
    static final int MOST = 4;

    /** A body of some megabytes needs less at full speed. */
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
            if (running.size() < MOST) { // so nobody waits
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
