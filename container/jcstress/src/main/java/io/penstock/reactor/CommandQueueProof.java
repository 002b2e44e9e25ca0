package io.penstock.reactor;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.memory.Rounds;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks the {@link CommandQueue}. No command may stay in the queue while the reactor sleeps. A sleeping reactor must be woken only once.
 */
public class CommandQueueProof {

    /** A reactor goes to sleep while another thread adds a command. */
    @JCStressTest
    @State
    @Outcome(id = "awake", expect = ACCEPTABLE, desc = "the reactor saw the command and does not sleep")
    @Outcome(
            id = "asleep, then woken",
            expect = ACCEPTABLE,
            desc = "the adding thread saw that the reactor sleeps, and woke it")
    @Outcome(id = "asleep", expect = FORBIDDEN, desc = "lost wake-up")
    public static class AddAgainstFallingAsleep {
        private final AtomicInteger wakeUps = new AtomicInteger();
        private final CommandQueue queue = new CommandQueue(wakeUps::incrementAndGet, Rounds.unwatched());
        private boolean asleep;

        @Actor
        public void anyone() {
            queue.add(() -> {});
        }

        @Actor
        public void reactor() {
            asleep = queue.mayFallAsleep();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = !asleep ? "awake" : wakeUps.get() > 0 ? "asleep, then woken" : "asleep";
        }
    }

    /** A reactor goes to sleep for a moment while two threads add a command that can wait, and one that cannot. */
    @JCStressTest
    @State
    @Outcome(id = "awake", expect = ACCEPTABLE, desc = "the reactor saw a command and does not sleep")
    @Outcome(
            id = "asleep, then woken",
            expect = ACCEPTABLE,
            desc = "the command that cannot wait has woken the reactor")
    @Outcome(expect = FORBIDDEN, desc = "lost wake-up, or two")
    public static class AddForLaterAgainstDozing {
        private final AtomicInteger wakeUps = new AtomicInteger();
        private final CommandQueue queue = new CommandQueue(wakeUps::incrementAndGet, Rounds.unwatched());
        private boolean asleep;

        @Actor
        public void anyone() {
            queue.addForLater(new CommandQueue.Command() {
                @Override
                void run() {}
            });
            queue.add(() -> {});
        }

        @Actor
        public void reactor() {
            asleep = queue.mayDoze();
        }

        @Arbiter
        public void outcome(L_Result r) {
            int wakes = wakeUps.get();
            r.r1 = wakes > 1 ? "woken twice" : !asleep ? "awake" : wakes > 0 ? "asleep, then woken" : "asleep";
        }
    }

    /** A reactor falls asleep for long while another thread adds a command that can wait. */
    @JCStressTest
    @State
    @Outcome(id = "awake", expect = ACCEPTABLE, desc = "the reactor saw the command and does not sleep")
    @Outcome(
            id = "asleep, then woken",
            expect = ACCEPTABLE,
            desc = "the adding thread saw that the reactor sleeps long, and woke it")
    @Outcome(id = "asleep", expect = FORBIDDEN, desc = "lost wake-up")
    public static class AddForLaterAgainstFallingAsleep {
        private final AtomicInteger wakeUps = new AtomicInteger();
        private final CommandQueue queue = new CommandQueue(wakeUps::incrementAndGet, Rounds.unwatched());
        private boolean asleep;

        @Actor
        public void anyone() {
            queue.addForLater(new CommandQueue.Command() {
                @Override
                void run() {}
            });
        }

        @Actor
        public void reactor() {
            asleep = queue.mayFallAsleep();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = !asleep ? "awake" : wakeUps.get() > 0 ? "asleep, then woken" : "asleep";
        }
    }

    /**
     * A reactor wakes from its select call, runs the commands in the queue, and sleeps again. Another thread adds a command at the same
     * time.
     */
    @JCStressTest
    @State
    @Outcome(
            id = {"run", "awake", "asleep, then woken"},
            expect = ACCEPTABLE,
            desc = "the command has run, or the reactor will run again")
    @Outcome(id = "asleep", expect = FORBIDDEN, desc = "lost wake-up")
    public static class AddAgainstARound {
        private final AtomicInteger wakeUps = new AtomicInteger();
        private final CommandQueue queue = new CommandQueue(wakeUps::incrementAndGet, Rounds.unwatched());
        private int wokenBefore;
        private boolean ran;
        private boolean ranInRound;
        private boolean asleep;

        public AddAgainstARound() {
            queue.mayFallAsleep();
        }

        @Actor
        public void anyone() {
            queue.add(() -> ran = true);
        }

        @Actor
        public void reactor() {
            queue.awake();
            queue.runAll();
            ranInRound = ran;
            wokenBefore = wakeUps.get();
            asleep = queue.mayFallAsleep();
        }

        @Arbiter
        public void outcome(L_Result r) {
            if (ranInRound) {
                r.r1 = "run";
            } else if (!asleep) {
                r.r1 = "awake";
            } else {
                r.r1 = wakeUps.get() > wokenBefore ? "asleep, then woken" : "asleep";
            }
        }
    }

    /** Two threads add commands while the reactor sleeps. */
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "one wake-up (a system call)")
    @Outcome(expect = FORBIDDEN, desc = "no wake-up, or two")
    public static class TwoAddsWakeOnce {
        private final AtomicInteger wakeUps = new AtomicInteger();
        private final CommandQueue queue = new CommandQueue(wakeUps::incrementAndGet, Rounds.unwatched());

        public TwoAddsWakeOnce() {
            queue.mayFallAsleep();
        }

        @Actor
        public void one() {
            queue.add(() -> {});
        }

        @Actor
        public void other() {
            queue.add(() -> {});
        }

        @Arbiter
        public void outcome(I_Result r) {
            r.r1 = wakeUps.get();
        }
    }
}
