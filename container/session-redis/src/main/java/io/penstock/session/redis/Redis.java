package io.penstock.session.redis;

import io.penstock.store.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A Redis that runs scripts. Thread: any; a call may wait, for a bounded time. */
interface Redis extends AutoCloseable {

    /** Whether a script may use keys of several hash slots. */
    enum Reach {
        /** All keys are on one node, so a script may use any keys. */
        ALL_KEYS,
        /** The keys of a script must have one hash tag. */
        ONE_TAG
    }

    Reach reach();

    /** A script may be repeated until this time has passed since the store's call began. */
    Duration repeatedWithin();

    /**
     * Runs a script.
     *
     * @return lists, numbers as {@code Long} and texts as {@code byte[]}
     * @throws StoreUnavailableException if Redis cannot be reached, does not answer in time, or can serve no session now
     * @throws IOException if the script failed
     */
    Object run(Script script, List<byte[]> keys, List<byte[]> arguments) throws IOException;

    @Override
    void close() throws IOException;
}
