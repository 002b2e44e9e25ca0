package io.penstock.loadtest.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Runs a task on a {@link ClientLoop}, and waits for the result of the task. Thread: any except the thread of the loop. */
public final class OnLoop {
    private OnLoop() {}

    /**
     * Starts the task on the loop. The future also fails if the loop ends before the task is complete, even if the loop ends without an
     * error.
     */
    public static <T> CompletableFuture<T> begin(ClientLoop loop, Supplier<CompletableFuture<T>> task) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        loop.execute(() -> {
            var unused = task.get().whenComplete((value, failure) -> {
                if (failure == null) {
                    outcome.complete(value);
                } else {
                    outcome.completeExceptionally(failure);
                }
            });
        });
        var unused = loop.ended().whenComplete((nothing, failure) -> {
            Throwable cause = failure == null ? new IllegalStateException("it has been closed") : failure;
            outcome.completeExceptionally(cause);
        });
        return outcome;
    }

    /**
     * Waits for the result of a task.
     *
     * @throws TimeoutException if the task is not complete within the given time
     * @throws IOException if the task has failed, or the loop has ended
     */
    public static <T> T await(CompletableFuture<T> outcome, Duration within)
            throws IOException, InterruptedException, TimeoutException {
        try {
            return outcome.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw new IOException("The client has failed: " + failed.getCause(), failed);
        }
    }
}
