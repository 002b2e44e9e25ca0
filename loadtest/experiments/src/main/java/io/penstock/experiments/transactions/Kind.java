package io.penstock.experiments.transactions;

/** The two kinds of client that are compared. */
enum Kind {
    /** Blocking I/O: for each call, a thread waits for the response. */
    BLOCKING("blocking"),

    /** Multiplexed I/O: one selector thread waits for the responses to all calls. */
    MULTIPLEXED("multiplexed");

    private final String label;

    Kind(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
