package io.penstock.loadtest.compare.scenarios;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Those who look at one server while it is loaded.
 *
 * <p>Thread: each of them has one of its own; {@link #close} the one that measures.
 */
final class Onlookers implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    private static final long BETWEEN_MILLIS = 1000;

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong seen = new AtomicLong();
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    private volatile boolean closed;

    private Onlookers() {}

    /** @param port the admin port */
    static Onlookers begin(Set<Onlooker> all, long port) {
        Onlookers begun = new Onlookers();
        for (Onlooker one : all) {
            Thread thread = new Thread(() -> begun.look(one, port), one.name());
            thread.setDaemon(true);
            begun.threads.add(thread);
            thread.start();
        }
        return begun;
    }

    private void look(Onlooker one, long port) {
        byte[] buffer = new byte[BUFFER];
        try {
            while (!closed) {
                seen.addAndGet(one.look(port, buffer));
                Thread.sleep(BETWEEN_MILLIS);
            }
        } catch (IOException cannot) {
            failure.compareAndSet(null, cannot);
        } catch (InterruptedException over) {
            closed = true; // it is what the interrupt says
        }
    }

    /** Waits until all have gone. */
    void awaitEnd() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** @throws IOException if one of them could not look, or saw nothing: then something else was measured */
    @Override
    public void close() throws IOException {
        closed = true;
        for (Thread thread : threads) {
            thread.interrupt();
        }
        try {
            awaitEnd();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        IOException cannot = failure.get();
        if (cannot != null) {
            throw new IOException("The admin port could not be looked at: " + cannot.getMessage(), cannot);
        }
        if (!threads.isEmpty() && seen.get() == 0) {
            throw new IOException("The admin port has shown nothing");
        }
    }
}
