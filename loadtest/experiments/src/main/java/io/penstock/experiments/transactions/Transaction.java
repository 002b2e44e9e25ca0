package io.penstock.experiments.transactions;

import io.penstock.loadtest.client.Target;
import io.penstock.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** Runs a transaction: a search with calls to all suppliers, and then a booking. If the search fails, there is no booking. */
final class Transaction {
    private final TransactionShape shape;
    private final LongFunction<Target> targetOfCall;
    private final Clock clock;

    Transaction(TransactionShape shape, LongFunction<Target> targetOfCall, Clock clock) {
        this.shape = shape;
        this.targetOfCall = targetOfCall;
        this.clock = clock;
    }

    /** @param number the number of the transaction; it determines the calls and their latencies */
    TransactionResult run(Caller caller, long number) throws InterruptedException {
        long begin = clock.nanos();
        long firstCall = number * shape.calls();
        List<CallResult> results = new ArrayList<>();
        if (shape.suppliers() > 0) {
            results.addAll(caller.callAll(targets(firstCall, shape.suppliers())));
        }
        if (results.stream().allMatch(CallResult::isAnswered)) {
            results.addAll(caller.callAll(targets(firstCall + shape.suppliers(), 1)));
        }
        return new TransactionResult(clock.nanos() - begin, results);
    }

    private List<Target> targets(long firstCall, int calls) {
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            targets.add(targetOfCall.apply(firstCall + i));
        }
        return targets;
    }
}
