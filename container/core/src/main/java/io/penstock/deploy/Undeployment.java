package io.penstock.deploy;

import io.penstock.context.InFlight;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.work.Job;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The undeployment of one application. The application gets no new requests any more.
 *
 * <pre>
 * WAITING ──the last request has ended, or undeploy-timeout──► STOPPING (on a worker) ──► STOPPED
 *                                           then workers are replaced, and remaining threads of the application are logged
 * </pre>
 *
 * <p>Thread: any thread begins the undeployment. When the last request has ended or a timer expires, workers continue it. No thread waits.
 */
final class Undeployment {
    private static final Logger LOG = LoggerFactory.getLogger(Undeployment.class);

    /** The time after the timeout in which asynchronous requests may still be answered. At the timeout, their listeners are notified. */
    private static final Duration ASYNC_GRACE = Duration.ofSeconds(1);

    /** The time in which the application's own threads may end after its stop. Then the remaining threads are logged. */
    private static final Duration THREAD_GRACE = Duration.ofSeconds(2);

    private final WebApplication application;
    private final ServerThreads threads;
    private final Counters counters;
    private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.WAITING);
    private final CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();
    private volatile List<Future<?>> timers = List.of();

    private enum Progress {
        WAITING,
        STOPPING,
        STOPPED
    }

    Undeployment(WebApplication application, ServerThreads threads, Counters counters) {
        this.application = application;
        this.threads = threads;
        this.counters = counters;
    }

    /** The returned stage completes when the application has stopped. */
    CompletionStage<@Nullable Void> begin(Duration timeout) {
        InFlight inFlight = application.context().inFlight();
        timers = List.of(
                threads.scheduler().after(timeout, this::timedOut),
                threads.scheduler().after(timeout.plus(ASYNC_GRACE), this::enqueueStop));
        inFlight.close().thenRun(this::enqueueStop);
        return stopped;
    }

    /** Thread: the timer. */
    private void timedOut() {
        InFlight inFlight = application.context().inFlight();
        long left = inFlight.count();
        if (left > 0 && progress.get() == Progress.WAITING) {
            counters.increment(Counter.UNDEPLOY_TIMEOUTS);
            LOG.warn(
                    "{}: {} requests still run after {}; asynchronous requests now time out",
                    application.source(),
                    left,
                    Key.UNDEPLOY_TIMEOUT.id());
            inFlight.runTimeoutActions();
        }
    }

    /** Enqueues the stop as a job, since the calling thread may be running the application's code. Thread: any. */
    private void enqueueStop() {
        if (progress.compareAndSet(Progress.WAITING, Progress.STOPPING)) {
            threads.queue().resume(job(this::stopAndReplaceWorkers, this::stop, "the stop of " + application.source()));
        }
    }

    private void stopAndReplaceWorkers() {
        stop();
        threads.workers().renew();
        threads.scheduler().after(THREAD_GRACE, () -> threads.queue()
                .resume(job(
                        this::logRemainingThreads,
                        () -> {},
                        "the check for remaining threads of " + application.source())));
    }

    /** The server has ended: stops the application on the calling thread. No effect if the application has already stopped. */
    void stopNow() {
        progress.set(Progress.STOPPING);
        stop();
    }

    private void stop() {
        application.stop();
        progress.set(Progress.STOPPED);
        timers.forEach(timer -> timer.cancel(false));
        stopped.complete(null);
    }

    /** Runs as a job on a worker, since it calls methods of threads that the application can override. */
    private void logRemainingThreads() {
        List<String> left = application.remainingThreads();
        if (!left.isEmpty()) {
            LOG.warn(
                    "{}: has ended, but {} of its threads still run and keep its classes in memory: {}. The application should end them"
                            + " in ServletContextListener.contextDestroyed",
                    application.source(),
                    left.size(),
                    String.join(", ", left));
        }
    }

    private static Job job(Runnable run, Runnable abandon, String what) {
        return new Job() {
            @Override
            public void run() {
                try {
                    run.run();
                } catch (RuntimeException | Error e) {
                    LOG.error("Failed: {}", what, e);
                }
            }

            @Override
            public void abandon() {
                abandon.run();
            }

            @Override
            public String describe() {
                return what;
            }
        };
    }
}
