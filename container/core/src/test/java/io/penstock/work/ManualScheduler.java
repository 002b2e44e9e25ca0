package io.penstock.work;

import io.penstock.memory.Rounds;
import io.penstock.time.ManualClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A scheduler that uses the time of a {@link ManualClock}. {@link #runDue} runs the due tasks on the thread of the scheduler. Repeated tasks
 * use the real time.
 */
public final class ManualScheduler extends Scheduler {
    private static final long PATIENCE_SECONDS = 60;

    private final ManualClock clock;
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentSkipListSet<Task> pending =
            new ConcurrentSkipListSet<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::number));

    /** @param number the number of the task; tasks with the same time run in the order of their numbers */
    private record Task(long due, long number, FutureTask<Object> work) {}

    public ManualScheduler(ManualClock clock) {
        super("", Rounds.unwatched());
        this.clock = clock;
    }

    @Override
    public Future<?> after(Duration delay, Runnable task) {
        FutureTask<Object> work = new FutureTask<>(Executors.callable(task));
        pending.add(new Task(clock.nanos() + delay.toNanos(), numbers.incrementAndGet(), work));
        return work;
    }

    /** Runs the due tasks that have not been cancelled. If a task throws, the test fails. */
    public void runDue() throws InterruptedException, ExecutionException, TimeoutException {
        for (Task next = pending.pollFirst(); next != null; next = pending.pollFirst()) {
            if (next.due() > clock.nanos()) {
                pending.add(next);
                return;
            }
            super.after(Duration.ZERO, next.work()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!next.work().isCancelled()) {
                next.work().get();
            }
        }
    }
}
