package io.penstock.loadtest.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * While this object is open, Ctrl-C stops the measurement. The process ends when the object is closed, so the results can be
 * printed first. If the object is not closed within some seconds, the process ends anyway.
 *
 * <p>Thread: opened and closed by the thread that prints; the JVM starts another thread when it must end.
 */
public final class Interruption implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Runnable stop;
    private final Runnable lastResort;
    private final Thread hook = new Thread(this::onInterrupt, "interrupted");
    private volatile boolean happened;

    /** @param stop called once when the process must end, on another thread */
    public Interruption(Runnable stop) {
        this(stop, () -> System.err.println("loadtest: the results could not be printed in time"));
    }

    /** @param lastResort called some seconds after {@code stop}, if this object has not been closed by then */
    public Interruption(Runnable stop, Runnable lastResort) {
        this.stop = stop;
        this.lastResort = lastResort;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Interrupts the thread that calls this. */
    public static Interruption ofThisThread() {
        return new Interruption(Thread.currentThread()::interrupt);
    }

    /** Whether the process must end. Thread: any. */
    public boolean happened() {
        return happened;
    }

    private void onInterrupt() {
        happened = true;
        stop.run();
        try {
            // The thread that prints counts down when everything is printed.
            if (!closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                lastResort.run();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        // Wakes the hook, if it runs.
        closed.countDown();
        if (!happened) {
            remove();
        }
    }

    private void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endingAlready) {
            // Ctrl-C came after close() had read {@code happened}. The hook runs, and finds that everything is printed.
            happened = true;
        }
    }
}
