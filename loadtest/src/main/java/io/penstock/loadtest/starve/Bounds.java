package io.penstock.loadtest.starve;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.client.ClientLoop;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Limits the bytes and the time of all slow clients together. When the slow clients have sent the maximum number of bytes, or when the time
 * is over, the {@link ClientLoop} of the slow clients is closed. This closes all their connections.
 *
 * <p>Thread: any. Owns: the thread {@code bounds}, which checks the limits every 20 ms.
 */
final class Bounds implements AutoCloseable {
    private static final int MILLIS_BETWEEN_LOOKS = 20;

    private final ClientLoop slow;
    private final Limits limits;
    private final long until;
    private final ScheduledExecutorService looks;
    private volatile String reached = "";

    /**
     * The values of the bounds.
     *
     * @param clients the maximum number of slow clients at the same time
     * @param bytes the maximum number of bytes that all slow clients together send in the whole search
     * @param time the maximum time of the search, including the normal requests without slow clients before it
     */
    record Limits(int clients, long bytes, Duration time) {

        /** The bounds as a text for a report. */
        String describe() {
            return clients + " clients of one kind, " + bytes + " bytes, " + DurationConverter.text(time);
        }
    }

    /** Starts the checks. The time is counted from now. */
    Bounds(ClientLoop slow, Limits limits) {
        this.slow = slow;
        this.limits = limits;
        this.until = System.nanoTime() + limits.time().toNanos();
        this.looks = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "bounds");
            thread.setDaemon(true);
            return thread;
        });
        var unused = looks.scheduleWithFixedDelay(this::look, 0, MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        if (!reached.isEmpty()) {
            return;
        }
        if (System.nanoTime() - until >= 0) {
            reached = "the time bound was reached (" + DurationConverter.text(limits.time()) + ")";
        } else if (slow.sentBytes() >= limits.bytes()) {
            reached = "the bound for sent bytes was reached (" + limits.bytes() + ")";
        } else {
            return;
        }
        slow.close();
    }

    /** A text about the bound that was reached; empty if no bound was reached. */
    String reached() {
        return reached;
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
