package io.penstock.loadtest.client;

import java.nio.ByteBuffer;

/**
 * Receives the response to one request: the head, pieces of the body, and at the end exactly one of {@link #onComplete} and {@link
 * #onFailure}. An implementation that needs only the status implements only these two methods. One object can be used for any number of
 * requests, even at the same time.
 *
 * <p>Thread: the thread of the {@link ClientLoop}, so no method may wait. If a method throws an exception, only the connection of this
 * request ends.
 */
public interface Exchange {

    /** Whether the fields of the response must be collected for {@link #onHead}. */
    default boolean wantsFields() {
        return false;
    }

    /** The head is complete. {@code fields} is empty if {@link #wantsFields} is false. The method is not called for an interim response. */
    default void onHead(int status, Fields fields) {}

    /**
     * A piece of the body has been received; chunk headers are removed. The buffer belongs to the loop, so bytes that are needed later must
     * be copied now.
     */
    default void onBody(ByteBuffer bytes) {}

    /** The response is complete. The connection can already be used for the next request. */
    void onComplete(int status);

    /** The response will not be complete. */
    void onFailure(CallException failure);
}
