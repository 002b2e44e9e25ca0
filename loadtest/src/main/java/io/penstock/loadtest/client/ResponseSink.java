package io.penstock.loadtest.client;

import java.nio.ByteBuffer;

/** Takes the parts of a response as a {@link ResponseReader} finds them. */
interface ResponseSink {
    /** Forgets all. */
    ResponseSink NONE = new ResponseSink() {};

    /** Whether {@link #onField} is to be called. */
    default boolean wantsFields() {
        return false;
    }

    default void onField(String name, String value) {}

    /** The fields were those of an interim response: another head follows. */
    default void onInterim(int status) {}

    default void onHead(int status) {}

    /** A piece of the body; what is not taken of it is forgotten. */
    default void onBody(ByteBuffer bytes) {}
}
