package io.penstock.work;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.penstock.memory.Rounds;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The thread that runs scheduled tasks outside the reactors: asynchronous timeouts, session expiry. It passes application code to
 * workers.
 */
public class Scheduler {
    private static final String FAILURE = "A task of the scheduler failed";

    private final ScheduledThreadPoolExecutor executor;
    private final Rounds rounds;

    /**
     * @param prefix of the thread's name
     * @param rounds guards the thread
     */
    public Scheduler(String prefix, Rounds rounds) {
        this.rounds = rounds;
        executor = new ScheduledThreadPoolExecutor(1, task -> thread(() -> keep(task), prefix + "scheduler"));
        executor.setRemoveOnCancelPolicy(true);
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // drops tasks after the end
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    private void keep(Runnable work) {
        rounds.workFor(executor, FAILURE, work);
    }

    /** The thread inherits nothing from the calling thread, which may run an application's code: the scheduler outlives applications. */
    private static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setContextClassLoader(Scheduler.class.getClassLoader());
        return thread;
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

    /** Contains exceptions: a repeated task that throws would never run again. */
    private Runnable contained(Runnable task) {
        return () -> rounds.contain(FAILURE, task);
    }
}
