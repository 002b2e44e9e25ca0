package io.penstock.websocket.frame;

import org.jspecify.annotations.Nullable;

/** The result of one asynchronous send. Thread: the sender, within its call, or any other thread but the reactor. Must not wait. */
@FunctionalInterface
public interface SendResult {
    /** A result that nobody asks for. */
    SendResult IGNORED = failure -> {};

    /** @param failure null if the connection's output has taken all bytes of the message */
    void done(@Nullable Throwable failure);
}
