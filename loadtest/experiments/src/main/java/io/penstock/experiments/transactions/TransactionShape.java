package io.penstock.experiments.transactions;

/**
 * The calls of a transaction. First a search calls several suppliers at the same time. When all suppliers have answered, one more call
 * makes a booking.
 *
 * @param calls the number of all calls, including the booking
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
