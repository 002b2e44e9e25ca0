package io.penstock.sample;

import jakarta.servlet.ServletContext;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The only thread of the application. It runs all timed tasks. A task must not wait, because it would delay all other
 * tasks.
 */
public final class Ticker {
    private static final String ATTRIBUTE = Ticker.class.getName();

    private final ServletContext context;
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, Ticker::daemon);

    private Ticker(ServletContext context) {
        this.context = context;
    }

    /** The application's ticker. */
    public static Ticker of(ServletContext context) {
        return (Ticker) context.getAttribute(ATTRIBUTE);
    }

    static Ticker install(ServletContext context) {
        Ticker ticker = new Ticker(context);
        context.setAttribute(ATTRIBUTE, ticker);
        return ticker;
    }

    /** Runs the task once, after {@code delayMillis} milliseconds. */
    public void after(long delayMillis, Runnable task) {
        var unused = thread.schedule(logged(task), delayMillis, TimeUnit.MILLISECONDS);
    }

    /** Runs the task at each full second. */
    public void everySecond(Runnable task) {
        long untilFullSecond = 1000 - System.currentTimeMillis() % 1000;
        var unused = thread.scheduleAtFixedRate(logged(task), untilFullSecond, 1000, TimeUnit.MILLISECONDS);
    }

    void stop() {
        thread.shutdownNow();
    }

    /**
     * Wraps a task so that its failure is logged. Without the wrapper, a failed task would end without a message, and
     * would never run again.
     */
    private Runnable logged(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException failure) {
                context.log("A task of the ticker has failed", failure);
            }
        };
    }

    private static Thread daemon(Runnable run) {
        Thread thread = new Thread(run, "sample-ticker");
        thread.setDaemon(true);
        return thread;
    }
}
