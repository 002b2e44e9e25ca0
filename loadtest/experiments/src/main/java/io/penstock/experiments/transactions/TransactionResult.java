package io.penstock.experiments.transactions;

import java.util.List;

/**
 * One transaction that has ended, with or without success.
 *
 * @param nanos from its beginning to its end
 * @param calls the results of those that were made
 */
record TransactionResult(long nanos, List<CallResult> calls) {

    TransactionResult {
        calls = List.copyOf(calls);
    }

    /** One failed call makes the transaction fail. */
    boolean isComplete() {
        return calls.stream().allMatch(CallResult::isAnswered);
    }

    long count(CallResult.Outcome outcome) {
        return calls.stream().filter(call -> call.outcome() == outcome).count();
    }
}
