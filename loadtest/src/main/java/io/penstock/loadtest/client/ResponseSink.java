package io.penstock.loadtest.client;

import java.nio.ByteBuffer;

/** Takes the parts of a response as a {@link ResponseReader} finds them. */
interface ResponseSink {
    /** Ignores all parts of a response. */
    ResponseSink NONE = new ResponseSink() {};

    /** Whether {@link #onField} must be called for each field. */
    default boolean wantsFields() {
        return false;
    }

    default void onField(String name, String value) {}

    /** The previous fields belong to an interim response. Another head follows. */
    default void onInterim(int status) {}

    default void onHead(int status) {}

    /** A piece of the body has been received. Bytes that this call does not take from the buffer are lost. */
    default void onBody(ByteBuffer bytes) {}
}
