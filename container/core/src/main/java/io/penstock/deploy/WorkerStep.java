package io.penstock.deploy;

import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import io.penstock.work.Workers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A change that runs application code, and so runs on a worker, while the thread that wants it waits: what an application leaves at its
 * thread (ThreadLocals) goes when workers are renewed, and would stay for ever at a thread of the embedding program.
 *
 * <p>Thread: made and awaited by one, run by a worker, with the former's context class loader.
 */
final class WorkerStep<T> implements Job {
    private final Change<T> change;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final CompletableFuture<T> done = new CompletableFuture<>();

    @FunctionalInterface
    interface Change<T> {
        T carryOut() throws DeploymentException;
    }

    private WorkerStep(Change<T> change) {
        this.change = change;
    }

    /** Carries the change out: here if this is a worker, which must not wait for another. */
    static <T> T carryOut(RequestQueue queue, Change<T> change) throws DeploymentException {
        if (Workers.isCurrent()) {
            return change.carryOut();
        }
        WorkerStep<T> step = new WorkerStep<>(change);
        queue.resume(step);
        return step.await();
    }

    @Override
    public void run() {
        Thread worker = Thread.currentThread();
        ClassLoader before = worker.getContextClassLoader();
        worker.setContextClassLoader(loader);
        try {
            done.complete(change.carryOut());
        } catch (DeploymentException | RuntimeException | Error e) {
            done.completeExceptionally(e); // for the thread that waits
        } finally {
            worker.setContextClassLoader(before);
        }
    }

    @Override
    public void abandon() {
        done.completeExceptionally(new DeploymentException("the server has ended"));
    }

    @Override
    public String describe() {
        return "a change of the applications";
    }

    /** Waits for the worker, interrupted or not: half a change is none. */
    private T await() throws DeploymentException {
        try {
            return done.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof DeploymentException refused) {
                throw refused;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw cause instanceof RuntimeException failure ? failure : e;
        }
    }
}
