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
 * The undeployment of one application that has been taken out of service. New requests do not reach this application.
 *
 * <pre>
 * WAITING ──the last request has ended, or undeploy-timeout──► STOPPING (on a worker) ──► STOPPED
 *                                       (then the workers are replaced, and remaining threads of the application are logged)
 * </pre>
 *
 * <p>Thread: any thread begins the undeployment. When the last request has ended or a timer expires, a worker stops the application. No
 * thread waits.
 */
final class Undeployment {
    private static final Logger LOG = LoggerFactory.getLogger(Undeployment.class);

    /**
     * The time for the last responses of asynchronous requests, after {@code undeploy-timeout}. At the timeout, the listeners of these
     * requests are notified.
     */
    private static final Duration ASYNC_GRACE = Duration.ofSeconds(1);

    /**
     * The time for the application's own threads to end after the stop of the application. After this time, the remaining threads are
     * logged.
     */
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

    /** Begins the undeployment. The returned {@link CompletionStage} completes when the application has stopped. */
    CompletionStage<@Nullable Void> begin(Duration timeout) {
        InFlight inFlight = application.context().inFlight();
        timers = List.of(
                threads.scheduler().after(timeout, this::timedOut),
                threads.scheduler().after(timeout.plus(ASYNC_GRACE), this::enqueueStop));
        inFlight.close().thenRun(this::enqueueStop);
        return stopped;
    }

    /** Logs the number of requests that run after {@code undeploy-timeout}, and ends asynchronous requests. Thread: the scheduler. */
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

    /** Stops the application in a job on a worker, because the calling thread may be running the application's code. Thread: any. */
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

    /** Stops the application on the calling thread, when the server ends. No effect if the application has already stopped. */
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

    /**
     * Logs the threads of the application that have not ended. Runs in a job on a worker, because it calls methods of {@link Thread} that
     * the application can override.
     */
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
                } catch (Throwable e) {
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
