package io.penstock.loadtest.client;

import java.nio.ByteBuffer;

/**
 * Receives the response to one request: the head, pieces of the body, and at the end exactly one of {@link #onComplete} and
 * {@link #onFailure}. An implementation that needs only the status implements only these two methods. One object may be used for
 * any number of requests, even at once.
 *
 * <p>Thread: only the loop calls it; no method may wait. An exception from it ends its connection, and no other.
 */
public interface Exchange {

    /** Whether the response's fields are to be gathered for {@link #onHead}; asked once for each response. */
    default boolean wantsFields() {
        return false;
    }

    /** The head is complete. {@code fields} is empty unless the fields were wanted. Not called for an interim response. */
    default void onHead(int status, Fields fields) {}

    /** A piece of the body without its framing. The buffer is the loop's: bytes to be kept must be copied now. */
    default void onBody(ByteBuffer bytes) {}

    /** The response is complete. The connection may already be used for the next request. */
    void onComplete(int status);

    /** The response will not be complete. */
    void onFailure(CallException failure);
}
