package io.penstock.loadtest.client;

import java.nio.ByteBuffer;

/** Takes the parts of a response as a {@link ResponseReader} finds them. */
interface ResponseSink {
    /** Drops everything. */
    ResponseSink NONE = new ResponseSink() {};

    /** Whether {@link #onField} is to be called. */
    default boolean wantsFields() {
        return false;
    }

    default void onField(String name, String value) {}

    /** The fields were those of an interim response: another head follows. */
    default void onInterim(int status) {}

    default void onHead(int status) {}

    /** A piece of the body; bytes that this call does not take are lost. */
    default void onBody(ByteBuffer bytes) {}
}
