package io.penstock.experiments.transactions;

import io.penstock.loadtest.client.Target;
import java.util.List;

/** A way to make calls. Thread: those of many users at a time. */
interface Caller extends AutoCloseable {

    /**
     * Makes the calls at the same time, as far as there are threads, and waits until each has its result, at most until the
     * deadline. The deadline counts from now, including the wait for a thread.
     */
    List<CallResult> callAll(List<Target> targets) throws InterruptedException;

    /** Calls under way fail soon. Thread: any. */
    @Override
    void close();
}
