package io.penstock.server;

import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/**
 * A periodic task that can wait for a disk, so a worker runs the task instead of the scheduler. The queue never refuses the task. If {@link
 * #run} is called while the task is queued or running, the call has no effect.
 *
 * <p>Thread: the scheduler calls {@link #run}, and this call does not wait. A worker runs the task.
 */
final class OnWorker implements Runnable {
    private static final Logger LOG = ServerLog.logger();

    private final RequestQueue queue;
    private final String description;
    private final Runnable task;
    private final AtomicBoolean pending = new AtomicBoolean();

    /** @param description the description of the task, for operators */
    OnWorker(RequestQueue queue, String description, Runnable task) {
        this.queue = queue;
        this.description = description;
        this.task = task;
    }

    @Override
    public void run() {
        if (pending.compareAndSet(false, true)) {
            queue.resume(new Run());
        }
    }

    private final class Run implements Job {
        @Override
        public void run() {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error("Failed: {}", description, e);
            } finally {
                pending.set(false);
            }
        }

        @Override
        public void abandon() {
            pending.set(false);
        }

        @Override
        public String describe() {
            return description;
        }
    }
}
