package io.penstock.experiments.transactions;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs the kinds of client in turns, minute by minute, so that other work of the machine affects both.
 *
 * <p>Thread: the one that waits for it; Ctrl-C is handled on another thread, which interrupts this one.
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
            // Clears the interrupt: the report follows, and must be written.
            return Ending.CUT_SHORT;
        }
    }

    private void keep(Minute minute) {
        minutes.add(minute);
        onMinute.accept(minute);
    }
}
