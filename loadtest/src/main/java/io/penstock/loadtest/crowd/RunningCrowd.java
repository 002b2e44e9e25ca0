package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.ClientLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A {@link Crowd} of slow clients that can be used from any thread except the thread of its loop.
 *
 * <p>Thread: any except the thread of the {@link ClientLoop}. Owns: the crowd, which ends when this object is closed.
 */
public final class RunningCrowd implements AutoCloseable {
    private static final int MILLIS_OF_A_LOOK = 100;
    private static final int LOOKS_WITHOUT_CHANGE = 10;
    private static final int MOST_LOOKS = 300;

    private static final long FACTOR = 3;
    private static final long ALLOWANCE = 5_000;

    private final ClientLoop loop;
    private final Crowd crowd;

    private RunningCrowd(ClientLoop loop, CrowdPlan plan) {
        this.loop = loop;
        this.crowd = new Crowd(loop, plan);
    }

    /**
     * Starts the clients and waits until all are connected. After that, waits until the state of the clients has not changed for a second,
     * or thirty seconds have passed. In this time, the server can read the clients' bytes.
     *
     * @throws IOException if not all clients are connected within the given time; the message has the number of connected clients and the
     *     last error
     */
    public static RunningCrowd gather(ClientLoop loop, CrowdPlan plan, Duration within)
            throws IOException, InterruptedException {
        RunningCrowd crowd = new RunningCrowd(loop, plan);
        try {
            crowd.awaitAll(within);
        } catch (TimeoutException incomplete) {
            throw new IOException(incomplete(crowd.disperse(), within), incomplete);
        }
        crowd.settle();
        return crowd;
    }

    /**
     * Does the same as {@link #gather}, but accepts that some clients are not connected when the time is over. This is for servers that do
     * not accept all clients. {@link Tally#isComplete} returns whether all clients are connected.
     */
    public static RunningCrowd gatherReachable(ClientLoop loop, CrowdPlan plan, Duration within)
            throws IOException, InterruptedException {
        RunningCrowd crowd = new RunningCrowd(loop, plan);
        try {
            crowd.awaitAll(within);
        } catch (TimeoutException incomplete) {
            crowd.settleForLess();
        }
        crowd.settle();
        return crowd;
    }

    private void awaitAll(Duration within) throws IOException, InterruptedException, TimeoutException {
        ClientLoop.await(loop.begin(crowd::gather), within);
    }

    private void settleForLess() throws IOException, InterruptedException {
        onLoop(() -> {
            crowd.settleForLess();
            return CompletableFuture.completedFuture(crowd.tally());
        });
    }

    /**
     * The highest p99 latency of normal requests beside slow clients that meets the target: three times the p99 without slow clients, or that
     * p99 plus five milliseconds, whichever is larger. In microseconds.
     */
    public static long allowedP99(long alone) {
        return Math.max(FACTOR * alone, alone + ALLOWANCE);
    }

    /** The present state of the clients. */
    public Tally tally() throws IOException, InterruptedException {
        return onLoop(() -> CompletableFuture.completedFuture(crowd.tally()));
    }

    /** Ends all clients, and returns their last state. */
    public Tally disperse() throws IOException, InterruptedException {
        return onLoop(() -> CompletableFuture.completedFuture(crowd.disperse()));
    }

    @Override
    public void close() {
        loop.execute(crowd::disperse);
    }

    private static String incomplete(Tally tally, Duration within) {
        String cause = tally.lastTrouble().isEmpty() ? "no connection has failed" : tally.lastTrouble();
        return "only " + tally.standing() + " of " + tally.size() + " slow clients are connected after "
                + within.toSeconds() + " s; last error: " + cause;
    }

    private void settle() throws IOException, InterruptedException {
        Tally before = tally();
        int unchanged = 0;
        for (int looks = 0; looks < MOST_LOOKS && unchanged < LOOKS_WITHOUT_CHANGE; looks++) {
            Thread.sleep(MILLIS_OF_A_LOOK);
            Tally now = tally();
            boolean same = now.standing() == before.standing()
                    && now.beingAnswered() == before.beingAnswered()
                    && now.burstsSent() == before.burstsSent();
            unchanged = same ? unchanged + 1 : 0;
            before = now;
        }
    }

    private <T> T onLoop(Supplier<CompletableFuture<T>> task) throws IOException, InterruptedException {
        return ClientLoop.await(loop.begin(task), Duration.ofMinutes(1), "The client's loop does not respond");
    }
}
