package io.penstock.exchange;

import io.penstock.events.Side;
import io.penstock.http.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Observes the progress of one request, from the arrival of its head to the end of its response. By default, the methods do nothing. The
 * <i>pipe</i> is the buffer for the response bytes of the connection ({@link io.penstock.pipe.ResponsePipe}). The observer of an unobserved
 * request is {@link #NONE}, so the code that serves requests does not need a null check.
 *
 * <p>Thread: the thread that processes the request at that moment, as in {@link io.penstock.events.ConnectionEvents}.
 */
public interface RequestObserver {

    /** Observes nothing. */
    RequestObserver NONE = new RequestObserver() {};

    /**
     * The name, method and path of the request, for the operator. Empty for {@link #NONE}, and empty if the request line could not be
     * parsed.
     */
    default String describe() {
        return "";
    }

    // ---- the request

    /** The head of the request has been accepted, and a body follows. */
    default void bodyExpected() {}

    /** @param bytes the number of bytes of the body that have arrived so far */
    default void received(long bytes) {}

    /** @param bytes the number of bytes of the whole body */
    default void bodyArrived(long bytes) {}

    /** Bytes of the request or of the response are written to disk. */
    default void spilled(Side side, long bytes) {}

    /** The calling thread serves the request and begins to wait for the client. At the end of the wait, {@link #resumed} is called. */
    default void waits(Side side) {}

    /** The wait for the client has ended. */
    default void resumed(Side side) {}

    /** The request waits for a worker. */
    default void queued() {}

    /** A worker has taken the request. */
    default void taken() {}

    /** @param name the name of the authenticated user; empty after a logout */
    default void user(String name) {}

    /** @param id the id of the session that the request uses */
    default void session(String id) {}

    /** @param value the new value of the attribute; null if the attribute has been removed */
    default void attribute(String name, @Nullable Object value) {}

    // ---- the response

    /**
     * The final head of the response will now be put into the pipe.
     *
     * @param fields the fields that the application has set, or the server in its place
     * @return the times for the Server-Timing field of the response; null if the response has no such field
     */
    default @Nullable ServerTiming responding(int status, Fields fields) {
        return null;
    }

    /** The server sends a response in place of the application. */
    default void refused(int status, String reason) {}

    /** The response has been aborted. */
    default void aborted(String reason) {}

    /** The last byte of the response has been put into the pipe. Later, either {@link #sent} or {@link #lost} is called. */
    default void responseComplete() {}

    // ---- the end

    /**
     * The request does not need its head any more. An observer that still refers to the head takes over the reservation of the head, and
     * gives it back later.
     *
     * @param reservation a reservation of the {@link HeadBudget}
     * @return whether the observer has taken over the reservation
     */
    default boolean keepsHead(int reservation) {
        return false;
    }

    /**
     * The link has accepted the last byte of the response.
     *
     * @param end the position of the response's end among all bytes of its pipe
     */
    default void sent(long end) {}

    /** The stream has ended while the request was served. */
    default void gone(String cause) {}

    /** The stream has ended, and the server stops serving the request. */
    default void lost(String cause) {}

    /**
     * The exchange of the request is over.
     *
     * @param complete whether the last byte of the response has been put into the pipe
     */
    default void over(boolean complete) {}
}
