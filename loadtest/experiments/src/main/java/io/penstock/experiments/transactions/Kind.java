package io.penstock.experiments.transactions;

/** The two clients that are compared. */
enum Kind {
    /** A thread waits for every call. */
    BLOCKING("blocking"),

    /** One selector thread waits for all calls. */
    MULTIPLEXED("multiplexed");

    private final String label;

    Kind(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
