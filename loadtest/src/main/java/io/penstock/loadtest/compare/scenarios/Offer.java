package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An open loop that records the outcome and the time of each request. */
final class Offer {
    private Offer() {}

    /** Starts a run. Thread: any. */
    static CompletableFuture<Answers> begin(ClientLoop loop, OpenPlan plan) {
        // Only the loop writes to it, and the result is completed after the last write.
        List<Answer> answers = new ArrayList<>(Math.toIntExact(plan.requests()));
        OpenLoop load = new OpenLoop(
                loop, plan, (due, latency, status, failure) -> answers.add(new Answer(due, latency, status, failure)));
        return load.start().thenApply(result -> new Answers(answers));
    }
}
