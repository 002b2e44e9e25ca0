package io.penstock.loadtest.load;

import io.penstock.loadtest.client.ClientLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A load on a server: sends requests, and measures the results.
 *
 * <pre>
 *   NEW ──> RUNNING ──> ENDED
 *    └───────────────────^
 * </pre>
 *
 * Thread: any thread for public methods; the thread of the {@link ClientLoop} for all other methods.
 */
public abstract sealed class Load permits ClosedLoop, OpenLoop {
    private enum State {
        NEW,
        RUNNING,
        ENDED
    }

    private final ClientLoop loop;
    private final Measurement measurement;
    private final CompletableFuture<LoadResult> result = new CompletableFuture<>();
    private State state = State.NEW;

    Load(ClientLoop loop, Duration deadline) {
        this.loop = loop;
        this.measurement = new Measurement(deadline);
    }

    /**
     * Starts the load. The future completes with the result when the load has ended. If the {@link ClientLoop} ends before the load, the
     * future fails.
     */
    public final CompletableFuture<LoadResult> start() {
        var unused = loop.ended().whenComplete((nothing, failure) -> {
            String what = failure == null ? "was closed during the measurement" : "has failed: " + failure;
            result.completeExceptionally(new IOException("The client " + what, failure));
        });
        loop.execute(this::run);
        return result.copy();
    }

    /** Starts the load, and waits for its result. Thread: any except the thread of the loop. */
    public final LoadResult await() throws IOException, InterruptedException {
        try {
            return start().get();
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new IOException(cause.getMessage(), failed);
        }
    }

    /** Waits for the result of a load that has been started, at most for the given time. Thread: any except the thread of the loop. */
    public static LoadResult await(CompletableFuture<LoadResult> started, Duration patience)
            throws IOException, InterruptedException {
        return ClientLoop.await(started, patience, "the requests did not end in time");
    }

    /** Ends the load before its planned end. The result has the measurements so far. */
    public final void stop() {
        loop.execute(this::end);
    }

    /** The present progress of the load. */
    public final CompletableFuture<Progress> progress() {
        CompletableFuture<Progress> progress = new CompletableFuture<>();
        loop.execute(() -> progress.complete(measurement.progress(elapsed())));
        return progress;
    }

    private void run() {
        if (state == State.NEW) {
            state = State.RUNNING;
            begin();
        }
    }

    /** Ends the load, and completes the future with the result. */
    final void end() {
        if (state != State.ENDED) {
            state = State.ENDED;
            Duration elapsed = elapsed();
            long unfinished = disconnect();
            result.complete(measurement.result(elapsed, unfinished));
        }
    }

    final boolean isRunning() {
        return state == State.RUNNING;
    }

    final ClientLoop loop() {
        return loop;
    }

    final long nanos() {
        return loop.nanos();
    }

    final Measurement measurement() {
        return measurement;
    }

    abstract void begin();

    /** The measured time up to now. */
    abstract Duration elapsed();

    /** Closes all connections. Returns the number of counted requests that had no response yet. */
    abstract long disconnect();

    /**
     * The progress of a load.
     *
     * @param elapsed the time since the beginning of the measurement; zero during the warm-up
     * @param answered the number of requests that were answered with a status of 2xx
     * @param non2xx the number of requests that were answered with another status
     * @param failed the number of requests that were not answered
     */
    public record Progress(Duration elapsed, long answered, long non2xx, long failed) {}
}
