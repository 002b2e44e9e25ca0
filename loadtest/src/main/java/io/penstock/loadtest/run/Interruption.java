package io.penstock.loadtest.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * While it is open, Ctrl-C stops what is measured, and the process ends when that is printed, that is, when this is closed.
 *
 * <p>Thread: opened and closed by the one that prints; the JVM starts another one when it is told to end.
 */
final class Interruption implements AutoCloseable {
    private static final int SECONDS_TO_PRINT = 10;

    private final CountDownLatch printed = new CountDownLatch(1);
    private final Runnable stop;
    private final Thread hook = new Thread(this::onInterrupt, "interrupted");
    private volatile boolean happened;

    Interruption(Runnable stop) {
        this.stop = stop;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    boolean happened() {
        return happened;
    }

    private void onInterrupt() {
        happened = true;
        stop.run();
        try {
            // For the thread that prints: it counts down when all is printed.
            if (!printed.await(SECONDS_TO_PRINT, TimeUnit.SECONDS)) {
                System.err.println("loadtest: gave up printing what was measured");
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        // Wakes the hook, if it runs.
        printed.countDown();
        if (!happened) {
            remove();
        }
    }

    private void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endingAlready) {
            // Ctrl-C has come between the two lines above: the hook runs, and finds that all is printed.
            happened = true;
        }
    }
}
