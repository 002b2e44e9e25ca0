package io.penstock.experiments.transactions;

/**
 * The calls of a transaction: a search that calls some suppliers at the same time, and, when the last of them has answered, one
 * booking.
 *
 * @param calls in all
 */
record TransactionShape(int calls) {
    private static final int MOST_CALLS = 1000;

    TransactionShape {
        if (calls < 1 || calls > MOST_CALLS) {
            throw new IllegalArgumentException("--calls must be between 1 and " + MOST_CALLS + ", not " + calls);
        }
    }

    int suppliers() {
        return calls - 1;
    }
}
