package io.penstock.experiments.transactions;

import java.util.List;

/**
 * The result of one transaction, successful or not.
 *
 * @param nanos the duration of the transaction, in nanoseconds
 * @param calls the results of the calls that were made
 */
record TransactionResult(long nanos, List<CallResult> calls) {

    TransactionResult {
        calls = List.copyOf(calls);
    }

    /** Whether all calls were answered. If one call has failed, the transaction has failed. */
    boolean isComplete() {
        return calls.stream().allMatch(CallResult::isAnswered);
    }

    long count(CallResult.Outcome outcome) {
        return calls.stream().filter(call -> call.outcome() == outcome).count();
    }
}
