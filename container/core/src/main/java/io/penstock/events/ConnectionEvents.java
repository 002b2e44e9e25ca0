package io.penstock.events;

import java.net.SocketAddress;

/**
 * What happens on the server's connections, told as it happens. Access log, metrics and tests listen here; hot paths log nothing
 * themselves.
 *
 * <p>Thread: whichever the event happens on, reactors and workers among them: an implementation returns at once and never throws.
 */
public interface ConnectionEvents {

    ConnectionEvents NONE = new ConnectionEvents() {};

    default void opened(String connection, SocketAddress remote) {}

    /** A request was answered without a worker. {@code reason} is for the operator, never for the client. */
    default void refused(String connection, int status, String reason) {}

    /** A deadline passed; {@code name} is the configuration key of the timeout. */
    default void timedOut(String connection, String name) {}

    /** The connection is gone; {@code cause} says why in a few words. */
    default void closed(String connection, String cause) {}

    /** Something of ours failed where nothing may fail; the connection was closed and the thread lives. */
    default void failed(String connection, Throwable cause) {}
}
