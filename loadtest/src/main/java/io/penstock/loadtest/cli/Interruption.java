package io.penstock.loadtest.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles Ctrl-C. While this object is open, Ctrl-C stops the measurement, but does not end the process at once. The process ends when this
 * object is closed, or after ten seconds. So the results can be printed first.
 *
 * <p>Thread: the thread that prints the results opens and closes this object. When the JVM must end, it runs this object's shutdown hook on
 * another thread.
 */
public final class Interruption implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Runnable stop;
    private final Runnable lastResort;
    private final Thread hook = new Thread(this::onInterrupt, "interrupted");
    private volatile boolean happened;

    /** @param stop the action that is run once, on another thread, when the process must end */
    public Interruption(Runnable stop) {
        this(stop, () -> System.err.println("loadtest: the results could not be printed in time"));
    }

    /** @param lastResort the action that is run some seconds after {@code stop} if this object is not closed by then */
    public Interruption(Runnable stop, Runnable lastResort) {
        this.stop = stop;
        this.lastResort = lastResort;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Returns an object whose action at Ctrl-C is to interrupt the thread that called this method. */
    public static Interruption ofThisThread() {
        return new Interruption(Thread.currentThread()::interrupt);
    }

    /** Whether the process must end. Thread: any thread. */
    public boolean happened() {
        return happened;
    }

    private void onInterrupt() {
        happened = true;
        stop.run();
        try {
            // The thread that prints calls close() when everything is printed. close() counts the latch down.
            if (!closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                lastResort.run();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        // Wakes the shutdown hook if the hook is running.
        closed.countDown();
        if (!happened) {
            remove();
        }
    }

    private void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endingAlready) {
            // Ctrl-C came after close() had read the field "happened". The shutdown hook is running. It ends at once,
            // since the latch is counted down.
            happened = true;
        }
    }
}
