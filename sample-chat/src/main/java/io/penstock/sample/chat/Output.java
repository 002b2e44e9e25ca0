package io.penstock.sample.chat;

import java.util.function.Consumer;

/** Sends messages to a guest, one at a time. */
interface Output {

    /**
     * Sends a message without waiting for the client.
     *
     * @param then called once, with true if the message was sent, and with false after a failure. Any thread can call
     *     it, even before this method returns
     */
    void send(String message, Consumer<Boolean> then);

    /** Ends the connection of a guest that does not read. */
    void close();
}
