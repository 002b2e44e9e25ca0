package io.penstock.reactor;

import io.penstock.memory.Rounds;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The queue of commands from other threads to a {@link Reactor}. Other threads have no other access to the reactor. A {@link SocketLink} is
 * a command, too: after {@link Link#signal} it is in the queue once, with all its signals. Adding a link to the queue allocates no memory,
 * so no signal is lost when memory runs out. All other commands run a {@link Runnable}. The number of such commands is not limited, because
 * only a few classes add them.
 *
 * <p>Thread: any thread adds commands, and the reactor runs the commands. The first new command wakes the selector if the reactor sleeps.
 * An exception of a command does not affect other commands.
 */
final class CommandQueue {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int DOZING = 2;
    private static final int WOKEN = 3;

    /**
     * An entry of the queue. A command must not be added again while it is in a queue. A command that runs has left the queue, and may be
     * added again.
     */
    abstract static class Command {
        private @Nullable Command next;

        abstract void run();
    }

    /** A command that runs a {@link Runnable}. */
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

    /** The commands that the reactor has taken from {@link #added}, oldest first. Only the reactor uses this field. */
    private @Nullable Command taken;

    private final AtomicInteger sleep = new AtomicInteger(AWAKE);
    private final Runnable wake;
    private final Rounds rounds;

    /** @param wake wakes the reactor from its blocking select call */
    CommandQueue(Runnable wake, Rounds rounds) {
        this.wake = wake;
        this.rounds = rounds;
    }

    void add(Runnable task) {
        add(new Task(task));
    }

    void add(Command command) {
        append(command);
        if (!wakeFrom(ASLEEP)) {
            wakeFrom(DOZING);
        }
    }

    /** As {@link #add(Command)}, for a command that can wait: a reactor that sleeps only for a moment is not woken ({@link #mayDoze}). */
    void addForLater(Command command) {
        append(command);
        wakeFrom(ASLEEP);
    }

    private void append(Command command) {
        Command before;
        do {
            before = added.get();
            command.next = before;
        } while (!added.compareAndSet(before, command));
    }

    private boolean wakeFrom(int state) {
        boolean wakes = sleep.get() == state && sleep.compareAndSet(state, WOKEN);
        if (wakes) {
            wake.run();
        }
        return wakes;
    }

    /**
     * Returns whether the reactor may sleep. The result is false if the queue contains commands. The reactor calls this method before it
     * sleeps.
     */
    boolean mayFallAsleep() {
        return maySleep(ASLEEP);
    }

    /** As {@link #mayFallAsleep}, if the reactor will sleep only for a moment. So {@link #addForLater} does not wake it. */
    boolean mayDoze() {
        return maySleep(DOZING);
    }

    private boolean maySleep(int state) {
        sleep.set(state);
        if (taken == null && added.get() == null) {
            return true;
        }
        sleep.set(AWAKE);
        return false;
    }

    void awake() {
        sleep.set(AWAKE);
    }

    /**
     * Runs the commands in the queue, including commands that are added meanwhile. The number of commands is limited, because the reactor
     * must also serve clients.
     */
    void runAll() {
        for (int most = 4096; most > 0; most--) {
            Command command = poll();
            if (command == null) {
                return;
            }
            contain(command);
        }
    }

    /**
     * Removes the first command from the queue and returns the command. A command is removed before it runs. So all later commands run,
     * even if the first command throws an exception.
     */
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

    /**
     * Runs a command and catches its exception. Links handle the exceptions of their handlers, so an exception at this point is a fault of
     * the server. It must not end the reactor, which serves all other links.
     */
    private void contain(Command command) {
        try {
            command.run();
        } catch (Throwable t) {
            rounds.handle("A command failed unexpectedly; the reactor continues", t);
        }
    }
}
