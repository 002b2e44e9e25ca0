package io.penstock.work;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.penstock.memory.DetachedThread;
import io.penstock.memory.Rounds;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The thread that runs scheduled tasks outside the reactors, for example timeouts of asynchronous requests and the expiry of sessions. The
 * thread does not run application code: its tasks pass such code to workers.
 */
public class Scheduler {
    private static final String FAILURE = "A task of the scheduler failed";

    private final ScheduledThreadPoolExecutor executor;
    private final Rounds rounds;

    /**
     * @param prefix the prefix of the thread's name
     * @param rounds the object that keeps the thread running after unexpected exceptions
     */
    public Scheduler(String prefix, Rounds rounds) {
        this.rounds = rounds;
        executor =
                new ScheduledThreadPoolExecutor(1, task -> DetachedThread.of(() -> keep(task), prefix + "scheduler"));
        executor.setRemoveOnCancelPolicy(true);
        // After stop(), further tasks are dropped without an exception.
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    private void keep(Runnable work) {
        rounds.workFor(executor, FAILURE, work);
    }

    @CanIgnoreReturnValue
    public Future<?> after(Duration delay, Runnable task) {
        return executor.schedule(contained(task), Saturated.nanos(delay), TimeUnit.NANOSECONDS);
    }

    public final Future<?> every(Duration period, Runnable task) {
        return executor.scheduleWithFixedDelay(
                contained(task), Saturated.nanos(period), Saturated.nanos(period), TimeUnit.NANOSECONDS);
    }

    /** Drops pending tasks and ends the thread. */
    public final void stop() {
        executor.shutdownNow();
    }

    /**
     * Wraps the task so that its exceptions are caught. The executor would not repeat a periodic task after an exception that is not
     * caught.
     */
    private Runnable contained(Runnable task) {
        return () -> rounds.contain(FAILURE, task);
    }
}
