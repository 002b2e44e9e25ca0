package io.penstock.session.redis;

import io.penstock.store.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A Redis server or cluster that runs scripts. Thread: any; a call can wait for a limited time. */
interface Redis extends AutoCloseable {

    /** The keys that one script can use. */
    enum Reach {
        /** All keys are on one node, so a script can use any keys. */
        ALL_KEYS,
        /** All keys of a script must have the same hash tag. */
        ONE_TAG
    }

    Reach reach();

    /** The time limit for repetitions. A script can be repeated until this time has passed since the start of the store's call. */
    Duration repeatedWithin();

    /**
     * Runs a script.
     *
     * @return the result of the script: a list, a number as {@code Long}, or a text as {@code byte[]}
     * @throws StoreUnavailableException if Redis cannot be reached, does not answer in time, or cannot serve sessions at the moment
     * @throws IOException if the script failed
     */
    Object run(Script script, List<byte[]> keys, List<byte[]> arguments) throws IOException;

    @Override
    void close() throws IOException;
}
