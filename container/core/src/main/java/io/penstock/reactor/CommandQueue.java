package io.penstock.reactor;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one door by which other threads reach a reactor. It is bounded by design: a link stands in it at most once, whatever is
 * signalled.
 *
 * <p>Thread: any adds, the reactor runs. A selector is woken only if it sleeps, and then once. What a command throws ends that command.
 */
final class CommandQueue {
    private static final Logger LOG = LoggerFactory.getLogger(CommandQueue.class);
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int WOKEN = 2;

    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final AtomicInteger sleep = new AtomicInteger(AWAKE);
    private final Runnable wake;

    /** @param wake ends the reactor's select */
    CommandQueue(Runnable wake) {
        this.wake = wake;
    }

    void add(Runnable command) {
        commands.add(command);
        if (sleep.get() == ASLEEP && sleep.compareAndSet(ASLEEP, WOKEN)) {
            wake.run(); // the reactor: there is a command
        }
    }

    /** The reactor is about to sleep; false if it must not, since there are commands. */
    boolean mayFallAsleep() {
        sleep.set(ASLEEP);
        if (commands.isEmpty()) {
            return true;
        }
        sleep.set(AWAKE);
        return false;
    }

    void awake() {
        sleep.set(AWAKE);
    }

    /** Runs what is there now; what those commands add waits for the next round. */
    void runAll() {
        for (int most = 4096; most > 0; most--) {
            Runnable command = commands.poll();
            if (command == null) {
                return;
            }
            contain(command);
        }
    }

    /** What a link is told contains its own failures, so this is one of ours; it must not be the end of all other links. */
    private static void contain(Runnable command) {
        try {
            command.run();
        } catch (Throwable t) {
            LOG.error("A command failed where none may; the reactor goes on", t);
        }
    }
}
