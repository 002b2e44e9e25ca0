package io.penstock.experiments.transactions;

import io.penstock.loadtest.client.Target;
import java.util.List;

/** A way to make calls to the third party. Thread: the threads of many users at the same time. */
interface Caller extends AutoCloseable {

    /**
     * Makes the calls at the same time, if there are enough threads, and waits for the results. Each call ends at its deadline at the
     * latest. The deadline is counted from the start of this method, so it includes the wait for a thread.
     */
    List<CallResult> callAll(List<Target> targets) throws InterruptedException;

    /** Closes all connections. Calls that have no response yet fail soon. Thread: any. */
    @Override
    void close();
}
