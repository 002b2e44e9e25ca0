package io.penstock.loadtest.transactions;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The kinds of client in turns, minute by minute, so that whatever else the machine does falls on both.
 *
 * <p>Thread: the one that waits for it; Ctrl-C comes on another and interrupts it.
 */
final class Experiment {
    private static final long SECONDS_TO_PRINT = 10;

    enum Ending {
        COMPLETE,
        /** By Ctrl-C. */
        CUT_SHORT
    }

    private final TransactionsPlan plan;
    private final Consumer<Minute> onMinute;
    private final List<Minute> minutes = new ArrayList<>();

    Experiment(TransactionsPlan plan, Consumer<Minute> onMinute) {
        this.plan = plan;
        this.onMinute = onMinute;
    }

    /** Of all minutes so far. */
    Results results() {
        return new Results(minutes);
    }

    /** @throws IOException if the delay server does not start or a part of the comparison has failed */
    Ending run() throws IOException {
        try (DelayServerProcess server = DelayServerProcess.start(plan.latencies(), plan.answerBytes())) {
            for (int number = 1; number <= plan.minutes(); number++) {
                for (Kind kind : Kind.values()) {
                    new Turn(plan, server, this::keep).run(kind, number);
                }
            }
            return Ending.COMPLETE;
        } catch (InterruptedException cut) {
            // The flag is taken off: what follows is the report, and that is to be written.
            return Ending.CUT_SHORT;
        }
    }

    private void keep(Minute minute) {
        minutes.add(minute);
        onMinute.accept(minute);
    }

    /**
     * Lets Ctrl-C interrupt the calling thread, and the process wait for the task's end. At most {@value
     * #SECONDS_TO_PRINT} s: whoever asks twice is not kept.
     */
    static <T> T interruptible(Task<T> task) throws IOException {
        Thread caller = Thread.currentThread();
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> {
            caller.interrupt();
            awaitPrinting(ended);
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return task.run();
        } finally {
            ended.countDown();
            removeHook(hook);
        }
    }

    /** What may be cut short. */
    interface Task<T> {
        T run() throws IOException;
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            assert hook.isAlive() || hook.getState() == Thread.State.TERMINATED : shuttingDown;
        }
    }

    private static void awaitPrinting(CountDownLatch ended) {
        try {
            if (!ended.await(SECONDS_TO_PRINT, TimeUnit.SECONDS)) {
                System.err.println("loadtest: the report was not ready in time");
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
