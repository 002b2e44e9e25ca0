package io.penstock.experiments.transactions;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs both kinds of client in turns, one minute each. They alternate so that other work of the machine affects both kinds.
 *
 * <p>Thread: the thread that waits for the results. Ctrl-C is handled on another thread, which interrupts the waiting thread.
 */
final class Experiment {
    enum Ending {
        COMPLETE,
        /** The comparison was interrupted by Ctrl-C. */
        CUT_SHORT
    }

    private final TransactionsPlan plan;
    private final Consumer<Minute> onMinute;
    private final List<Minute> minutes = new ArrayList<>();

    Experiment(TransactionsPlan plan, Consumer<Minute> onMinute) {
        this.plan = plan;
        this.onMinute = onMinute;
    }

    /** The results of all minutes so far. */
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
            // The interrupt is not set again, since the report must still be written on this thread.
            return Ending.CUT_SHORT;
        }
    }

    private void keep(Minute minute) {
        minutes.add(minute);
        onMinute.accept(minute);
    }
}
