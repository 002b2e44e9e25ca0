package io.penstock.exchange;

import io.penstock.events.Side;

/**
 * Observes the progress of one request, from its head to the end of its response. By default, methods do nothing. Requests without an
 * observer share {@link #NONE}, so the code that serves requests need not check for an observer.
 *
 * <p>Thread: the thread that has the request at that moment, as in {@link io.penstock.events.ConnectionEvents}.
 */
public interface RequestObserver {

    /** Observes nothing. */
    RequestObserver NONE = new RequestObserver() {};

    /** The request's name, method and path, for the operator; empty for {@link #NONE}, and if the request line could not be parsed. */
    default String describe() {
        return "";
    }

    // ---- the request

    /** The head has been admitted, and a body follows. */
    default void bodyExpected() {}

    /** @param bytes of the body that have arrived so far */
    default void received(long bytes) {}

    /** @param bytes of the whole body */
    default void bodyArrived(long bytes) {}

    /** Bytes of the request or of the response go to disk. */
    default void spilled(Side side, long bytes) {}

    /** This thread serves the request and waits for its client; {@link #goesOn} follows. */
    default void waits(Side side) {}

    /** The wait for the client has ended. */
    default void goesOn(Side side) {}

    /** The request waits for a worker. */
    default void queued() {}

    /** A worker has taken the request. */
    default void taken() {}

    /** @param name of the authenticated user */
    default void user(String name) {}

    // ---- the response

    /**
     * The final head of the response is about to enter the pipe.
     *
     * @return the times for the response's Server-Timing field
     */
    default ServerTiming responding(int status) {
        return ServerTiming.NONE;
    }

    /** The server answers in place of the application. */
    default void refused(int status, String reason) {}

    /** The response has been aborted. */
    default void aborted(String reason) {}

    /** The last byte of the response has entered the pipe. {@link #sent} or {@link #lost} follows. */
    default void responseComplete() {}

    // ---- the end

    /**
     * The link has accepted the last byte of the response.
     *
     * @param end the position of the response's end among all bytes of its pipe
     */
    default void sent(long end) {}

    /** The connection has ended while the request was served. */
    default void gone(String cause) {}

    /** The connection has ended, and the request will not be served further. */
    default void lost(String cause) {}

    /**
     * The exchange of the request is over.
     *
     * @param complete whether the last byte of its response has entered the pipe
     */
    default void over(boolean complete) {}
}
