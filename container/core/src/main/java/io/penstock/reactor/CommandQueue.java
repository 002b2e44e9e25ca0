package io.penstock.reactor;

import io.penstock.memory.Rounds;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The one door by which other threads reach a reactor. It is bounded by design: a link stands in it at most once, whatever is
 * signalled. Adding a link takes no memory, so that no signal is lost where there is none.
 *
 * <p>Thread: any adds, the reactor runs. A selector is woken only if it sleeps, and then once. What a command throws ends that command.
 */
final class CommandQueue {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int WOKEN = 2;

    /** Stands in at most one queue, once at a time; may be added again as soon as it runs. */
    abstract static class Command {
        private @Nullable Command next;

        abstract void run();
    }

    /** A command that is nothing else. */
    private static final class Task extends Command {
        private final Runnable task;

        Task(Runnable task) {
            this.task = task;
        }

        @Override
        void run() {
            task.run();
        }
    }

    /** The last one that was added, which knows the one before. */
    private final AtomicReference<@Nullable Command> added = new AtomicReference<>();

    /** The reactor's: taken out of those that were added, in their order. */
    private @Nullable Command taken;

    private final AtomicInteger sleep = new AtomicInteger(AWAKE);
    private final Runnable wake;
    private final Rounds rounds;

    /** @param wake ends the reactor's select */
    CommandQueue(Runnable wake, Rounds rounds) {
        this.wake = wake;
        this.rounds = rounds;
    }

    void add(Runnable task) {
        add(new Task(task));
    }

    void add(Command command) {
        Command before;
        do {
            before = added.get();
            command.next = before;
        } while (!added.compareAndSet(before, command));
        if (sleep.get() == ASLEEP && sleep.compareAndSet(ASLEEP, WOKEN)) {
            wake.run(); // the reactor: there is a command
        }
    }

    /** The reactor is about to sleep; false if it must not, since there are commands. */
    boolean mayFallAsleep() {
        sleep.set(ASLEEP);
        if (taken == null && added.get() == null) {
            return true;
        }
        sleep.set(AWAKE);
        return false;
    }

    void awake() {
        sleep.set(AWAKE);
    }

    /** Runs what is there, and what comes meanwhile, up to a number that leaves time for clients. */
    void runAll() {
        for (int most = 4096; most > 0; most--) {
            Command command = poll();
            if (command == null) {
                return;
            }
            contain(command);
        }
    }

    /** A command is out of the queue before it runs: whatever it throws, those behind it run, now or in the next round. */
    private @Nullable Command poll() {
        if (taken == null) {
            taken = inOrder(added.getAndSet(null));
        }
        Command first = taken;
        if (first != null) {
            taken = first.next;
            first.next = null;
        }
        return first;
    }

    private static @Nullable Command inOrder(@Nullable Command last) {
        Command first = null;
        Command left = last;
        while (left != null) {
            Command before = left.next;
            left.next = first;
            first = left;
            left = before;
        }
        return first;
    }

    /** What a link is told contains its own failures, so this is one of ours; it must not be the end of all other links. */
    private void contain(Command command) {
        try {
            command.run();
        } catch (Throwable t) {
            rounds.survived("A command failed where none may; the reactor goes on", t);
        }
    }
}
