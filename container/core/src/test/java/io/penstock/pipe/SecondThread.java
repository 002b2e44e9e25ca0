package io.penstock.pipe;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a task on a second thread, so that the task can block. */
final class SecondThread<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private SecondThread(Callable<T> work) {
        task = new FutureTask<>(work);
        thread = new Thread(task, "second-thread");
        thread.setDaemon(true);
        thread.start();
    }

    static <T> SecondThread<T> run(Callable<T> work) {
        return new SecondThread<>(work);
    }

    /** Waits until the thread of the task is blocked. */
    SecondThread<T> awaitWaiting() {
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
