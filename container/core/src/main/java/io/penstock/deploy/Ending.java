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
 * The end of an application that no request finds any more.
 *
 * <pre>
 * LEAVING ──the last request has left, or the patience is over──► STOPPING (on a worker) ──► ENDED
 *                                                          then workers are renewed, and threads that it has left are told of
 * </pre>
 *
 * <p>Thread: begun by one that changes; goes on on workers when a request leaves or the keeper says that it is time. Nobody waits.
 */
final class Ending {
    private static final Logger LOG = LoggerFactory.getLogger(Ending.class);

    /** For asynchronous requests that have been told that their time is over. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    /** For threads of the application to end that have been asked to. */
    private static final Duration FOR_THREADS = Duration.ofSeconds(2);

    private final WebApplication application;
    private final Crew crew;
    private final Counters counters;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.LEAVING);
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private volatile List<Future<?>> deadlines = List.of();

    private enum Stage {
        LEAVING,
        STOPPING,
        ENDED
    }

    Ending(WebApplication application, Crew crew, Counters counters) {
        this.application = application;
        this.crew = crew;
        this.counters = counters;
    }

    /** What is returned is complete when the application has been stopped. */
    CompletionStage<@Nullable Void> begin(Duration patience) {
        InFlight inFlight = application.context().inFlight();
        deadlines = List.of(
                crew.keeper().after(patience, this::giveUp),
                crew.keeper().after(patience.plus(LAST_WORDS), this::stopSoon));
        inFlight.close().thenRun(this::stopSoon);
        return ended;
    }

    /** Thread: the keeper. */
    private void giveUp() {
        InFlight inFlight = application.context().inFlight();
        long left = inFlight.count();
        if (left > 0 && stage.get() == Stage.LEAVING) {
            counters.increment(Counter.UNDEPLOY_TIMEOUTS);
            LOG.warn(
                    "{}: {} requests still run in it after {}; asynchronous ones are told that their time is over",
                    application.source(),
                    left,
                    Key.UNDEPLOY_TIMEOUT.id());
            inFlight.giveUpStaying();
        }
    }

    /** Any thread, which may be in the application; so it only enqueues. */
    private void stopSoon() {
        if (stage.compareAndSet(Stage.LEAVING, Stage.STOPPING)) {
            crew.queue().resume(job(this::stopAndRenew, this::stop, "the end of " + application.source()));
        }
    }

    private void stopAndRenew() {
        stop();
        crew.workers().renew();
        crew.keeper().after(FOR_THREADS, () -> crew.queue()
                .resume(job(this::tellThreads, () -> {}, "a look at the threads")));
    }

    /** Stops the application on this thread, unless that has been done: the server has ended. */
    void stopNow() {
        stage.set(Stage.STOPPING);
        stop();
    }

    private void stop() {
        application.stop();
        stage.set(Stage.ENDED);
        deadlines.forEach(deadline -> deadline.cancel(false));
        ended.complete(null);
    }

    /** Asks threads for what an application can have its own answer to, and so is a job. */
    private void tellThreads() {
        List<String> left = application.threadsLeft();
        if (!left.isEmpty()) {
            LOG.warn(
                    "{}: has ended, but {} of its threads still run and keep its classes in memory: {}. It should end them in"
                            + " ServletContextListener.contextDestroyed",
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
