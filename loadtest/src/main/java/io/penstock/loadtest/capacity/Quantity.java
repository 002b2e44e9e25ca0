package io.penstock.loadtest.capacity;

/** A quantity that is counted or sampled once for each second of a simulation. */
enum Quantity {
    /** Users on the site, from their first to their last request. */
    USERS(false),
    /** Open connections of users. An idle connection counts until its keep-alive time-out. */
    CONNECTIONS(false),
    /** Sessions that have not expired. */
    SESSIONS(false),
    /** Bytes of all sessions in the store. */
    STORED(false),
    /** Visits that begin in this second. */
    VISITS(true),
    /** Requests in this second. */
    REQUESTS(true),
    /** Round trips to the store in this second. */
    OPERATIONS(true),
    /** Bytes that nodes and store exchange in this second. */
    TRAFFIC(true);

    private final boolean rate;

    Quantity(boolean rate) {
        this.rate = rate;
    }

    /** Whether the quantity is counted from zero in each second. Otherwise it is sampled at the end of the second. */
    boolean isRate() {
        return rate;
    }
}
