package io.penstock.deploy;

import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import io.penstock.work.Workers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A deployment. It runs on a worker while the calling thread waits. Application code can leave ThreadLocals on the thread on which it runs.
 * The server can replace its workers after an undeployment, but it cannot replace a thread of the embedding program.
 *
 * <p>Thread: any thread makes the task and waits for its end. A worker runs the task with the caller's context class loader.
 */
final class WorkerTask<T> implements Job {
    private final Change<T> change;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final CompletableFuture<T> done = new CompletableFuture<>();

    @FunctionalInterface
    interface Change<T> {
        T carryOut() throws DeploymentException;
    }

    private WorkerTask(Change<T> change) {
        this.change = change;
    }

    /**
     * Runs the change on a worker. If the calling thread is a worker, the change runs on the calling thread, because a worker must not wait
     * for another worker.
     */
    static <T> T carryOut(RequestQueue queue, Change<T> change) throws DeploymentException {
        if (Workers.isCurrent()) {
            return change.carryOut();
        }
        WorkerTask<T> step = new WorkerTask<>(change);
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
        } catch (Throwable e) {
            // The method await() throws this exception again.
            done.completeExceptionally(e);
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

    /** Waits until the worker has carried out the change. An interrupt does not end the wait, because the change must be completed. */
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
