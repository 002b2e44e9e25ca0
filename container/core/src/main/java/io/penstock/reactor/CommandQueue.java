package io.penstock.reactor;

import io.penstock.memory.Rounds;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The only way by which other threads reach a reactor. A link is in the queue at most once, with all its signals. Adding a link allocates
 * nothing, so no signal is lost when memory runs out. Tasks are not bounded here; their callers are few.
 *
 * <p>Thread: any thread adds commands, the reactor runs them. The selector is woken only if it sleeps, and then once. An exception of one
 * command does not affect the others.
 */
final class CommandQueue {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int WOKEN = 2;

    /** A command is in at most one queue, and only once at a time. It may be added again as soon as it runs. */
    abstract static class Command {
        private @Nullable Command next;

        abstract void run();
    }

    /** A command that only runs a task. */
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

    /** The last added command. Each command refers to the command that was added before it. */
    private final AtomicReference<@Nullable Command> added = new AtomicReference<>();

    /** The commands that the reactor has taken over, in the order in which they were added. Thread: the reactor. */
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

    /** Called when the reactor is about to sleep. Returns false if it must not, because commands wait. */
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

    /** Runs the commands, including those that are added meanwhile, up to a number that leaves time for clients. */
    void runAll() {
        for (int most = 4096; most > 0; most--) {
            Command command = poll();
            if (command == null) {
                return;
            }
            contain(command);
        }
    }

    /** A command leaves the queue before it runs. So the commands behind it run, now or in the next round, even if it throws. */
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

    /** Links contain failures of their handlers, so this failure is the server's own. It must not end all other links. */
    private void contain(Command command) {
        try {
            command.run();
        } catch (Throwable t) {
            rounds.survived("A command failed unexpectedly; the reactor continues", t);
        }
    }
}
