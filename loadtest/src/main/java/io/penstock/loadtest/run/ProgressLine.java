package io.penstock.loadtest.run;

import io.penstock.loadtest.load.Load;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Prints the progress of a load every second until the load has ended. Thread: the thread that waits for the result. */
final class ProgressLine {
    private final PrintWriter err;
    private final Duration duration;
    private Progress last = new Progress(Duration.ZERO, 0, 0, 0);

    ProgressLine(PrintWriter err, Duration duration) {
        this.err = err;
        this.duration = duration;
    }

    LoadResult await(Load load) throws IOException, InterruptedException {
        CompletableFuture<LoadResult> result = load.start();
        try {
            while (!isOver(result)) {
                tell(load.progress()
                        .completeOnTimeout(last, 1, TimeUnit.SECONDS)
                        .get());
            }
            return result.get();
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new IOException(cause.getMessage(), failed);
        }
    }

    /** Waits for one second, or until the load has ended. Returns whether the load has ended. */
    private static boolean isOver(CompletableFuture<LoadResult> result)
            throws InterruptedException, ExecutionException {
        try {
            result.get(1, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException running) {
            return false;
        }
    }

    private void tell(Progress now) {
        double seconds = now.elapsed().minus(last.elapsed()).toNanos() / 1e9;
        if (now.elapsed().isZero() || seconds <= 0) {
            err.println("warming up");
        } else {
            err.println(String.format(
                    Locale.ROOT,
                    "%3d s of %d s: %,.0f requests/s; so far %,d non-2xx, %,d failed",
                    Math.round(now.elapsed().toMillis() / 1e3),
                    duration.toSeconds(),
                    (now.answered() - last.answered()) / seconds,
                    now.non2xx(),
                    now.failed()));
        }
        err.flush();
        last = now;
    }
}
