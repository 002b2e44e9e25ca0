package io.penstock.loadtest.starve;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.client.ClientLoop;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Limits all slow clients together. When they have sent the maximum of bytes, or when the time is over, their loop is closed,
 * which closes all their connections.
 *
 * <p>Thread: any. Owns: the thread {@code bounds}, which checks every 20 ms.
 */
final class Bounds implements AutoCloseable {
    private static final int MILLIS_BETWEEN_LOOKS = 20;

    private final ClientLoop slow;
    private final Limits limits;
    private final long until;
    private final ScheduledExecutorService looks;
    private volatile String reached = "";

    /**
     * The figures of the bounds.
     *
     * @param clients slow ones at a time
     * @param bytes that all of them send, in all steps together
     * @param time from the first slow client to the last
     */
    record Limits(int clients, long bytes, Duration time) {

        /** In words, for a report. */
        String describe() {
            return clients + " clients of one kind, " + bytes + " bytes, " + DurationConverter.text(time);
        }
    }

    /** Begins: the time runs from now. */
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

    /** The bound that was reached, in words; empty if none was. */
    String reached() {
        return reached;
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
