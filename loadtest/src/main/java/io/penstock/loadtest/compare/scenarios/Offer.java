package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs an {@link OpenLoop}, and records the result and the time of each request. */
final class Offer {
    private Offer() {}

    /** Starts a run. Thread: any. */
    static CompletableFuture<Answers> begin(ClientLoop loop, OpenPlan plan) {
        // Only the thread of the ClientLoop adds to this list. The result is completed after the last addition, so the
        // list needs no lock.
        List<Answer> answers = new ArrayList<>(Math.toIntExact(plan.requests()));
        OpenLoop load = new OpenLoop(
                loop, plan, (due, latency, status, failure) -> answers.add(new Answer(due, latency, status, failure)));
        return load.start().thenApply(result -> new Answers(answers));
    }
}
