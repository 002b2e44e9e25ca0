package io.penstock.pipe;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a task on a second thread. The task can block. */
final class Other<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private Other(Callable<T> work) {
        task = new FutureTask<>(work);
        thread = new Thread(task, "other");
        thread.setDaemon(true);
        thread.start();
    }

    static <T> Other<T> does(Callable<T> work) {
        return new Other<>(work);
    }

    /** Waits until the thread of the task is blocked. */
    Other<T> awaitWaiting() {
        await().until(() -> thread.getState() == Thread.State.WAITING);
        return this;
    }

    T result() throws InterruptedException, TimeoutException, ExecutionException {
        return task.get(60, TimeUnit.SECONDS);
    }

    void interrupt() {
        thread.interrupt();
    }
}
