package io.penstock.sample.chat;

import java.util.function.Consumer;

/** A way to a guest. It takes one message at a time. */
interface Output {

    /**
     * Sends without waiting.
     *
     * @param then called once, with whether the message was sent; any thread, also before this method returns
     */
    void send(String message, Consumer<Boolean> then);

    /** Ends the connection of a guest that does not read. */
    void close();
}
