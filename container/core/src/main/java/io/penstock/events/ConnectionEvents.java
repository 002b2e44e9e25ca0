package io.penstock.events;

import java.net.SocketAddress;
import java.util.List;

/**
 * Listens to events of the server's connections and requests. Access log, metrics and tests are listeners; the code that serves requests
 * logs nothing itself.
 *
 * <p>Events of connections are always reported. Events of requests cost a little for each request, and are reported only if {@link
 * #followsRequests} returns true. The events of one request come one after the other, in one of these orders:
 *
 * <pre>
 *   headArrived --> bodyArrived --> queued --> taken --> responding --> ended      a worker answered
 *   headArrived --> queued --> taken --> bodyArrived ...                           the same, where the body streams
 *   headArrived --> [bodyArrived --> queued] --> responding --> ended              answered without a worker
 *               ... --> gone --> ended                                             the connection ended before the answer had left
 * </pre>
 *
 * <p>{@code headArrived} is the first and {@code ended} the last, once for each request; {@code spilled} may come any number of times
 * between them. If a head cannot be parsed, or is not complete in time, {@code headArrived} comes with the refusal and has the known parts
 * of the head. The same holds for a client beyond {@code max-connections}; nothing of its request is known.
 *
 * <p>Thread: see each method. {@code reactor}, {@code worker} and {@code scheduler} are threads that serve many clients, so an implementation
 * returns at once, takes no lock that is held for long, and never throws. Several threads call it at the same time, for different requests.
 */
public interface ConnectionEvents {

    ConnectionEvents NONE = new ConnectionEvents() {};

    /** Calls all listeners, in order. If one throws, this is logged once, and the others are still called. */
    static ConnectionEvents all(List<ConnectionEvents> listeners) {
        return new AllListeners(listeners);
    }

    // ---- connections

    /** A client has connected. Thread: reactor. */
    default void opened(String connection, SocketAddress remote) {}

    /**
     * A request was answered without a worker. {@code reason} is for the operator, never for the client; if a bound was reached, it is the
     * bound's configuration key. Thread: reactor; worker if the client's next request finds no room in the queue.
     */
    default void refused(String connection, int status, String reason) {}

    /**
     * A deadline passed; {@code name} is the configuration key of the timeout. Thread: reactor; scheduler for {@code service-timeout}, worker
     * for {@code async-timeout}.
     */
    default void timedOut(String connection, String name) {}

    /**
     * The 101 response has been handed over, and the connection uses another protocol from here on; {@code protocol} is the one that the
     * client has requested. Thread: reactor.
     */
    default void upgraded(String connection, String protocol) {}

    /**
     * The connection has been closed. Thread: reactor; acceptor for a client that is closed at once.
     *
     * @param connection its name; or the client's address, if the client got no conversation and {@link #opened} was not called
     * @param cause the first cause
     * @param detail for the operator, in addition to the cause, such as the exception or the bound; often empty
     */
    default void closed(String connection, CloseCause cause, String detail) {}

    /**
     * A round of a selector thread has taken 20 ms or longer, and its clients have waited meanwhile. Thread: that selector thread.
     *
     * @param reactor its name
     */
    default void late(String reactor, long nanos) {}

    /** The server itself has failed on a connection. The connection was closed, and the thread goes on. Thread: the thread that failed. */
    default void failed(String connection, Throwable cause) {}

    // ---- requests

    /** Whether events of requests are wanted. Called once, before the server starts. */
    default boolean followsRequests() {
        return false;
    }

    /**
     * Whether events of the request whose head has just arrived are wanted, for listeners that {@linkplain #followsRequests follow
     * requests} only at times. If one listener wants them, all that follow requests get them. Thread: reactor.
     */
    default boolean followsNow() {
        return true;
    }

    /** The last byte of a request's head has arrived. Thread: reactor. */
    default void headArrived(Request request) {}

    /**
     * The last byte of a request's body has arrived; not called for a request without a body. Thread: reactor.
     *
     * @param bytes of the body, without its framing
     */
    default void bodyArrived(Request request, long bytes) {}

    /**
     * Bytes of a body go to disk. A request's body does so if it is larger than its pipe, or while memory is short; a response's body does
     * so if its client does not keep up. Thread: reactor for a request, worker for a response.
     */
    default void spilled(Request request, Side side, long bytes) {}

    /**
     * The calling thread serves the request and waits for its client: for more of a streaming body, or for room for a response that the
     * disk does not take. {@link #goesOn} follows, on the same thread. Thread: worker, or one of the application's.
     */
    default void waits(Request request, Side side) {}

    /** The wait has ended, for any reason. Thread: the same. */
    default void goesOn(Request request, Side side) {}

    /**
     * The request needs no more bytes of the client. It now waits for earlier responses and, if the queue has room, for a worker. Thread:
     * reactor.
     */
    default void queued(Request request) {}

    /** A worker begins to serve the request. Thread: worker. */
    default void taken(Request request, long waitedNanos) {}

    /**
     * The head of the response is being sent. If the response is aborted while it still waits behind earlier responses, its client gets
     * another response instead, and {@link #ended} has the status of the other response. Thread: worker; reactor for an answer without a
     * worker.
     */
    default void responding(Request request, int status) {}

    /**
     * The connection has ended before the request was answered. A worker that serves the request goes on until it notices this. Thread:
     * reactor, or the worker.
     */
    default void gone(Request request, String cause) {}

    /** The request has ended. Thread: the thread that sent the last byte of the response, or aborted it. */
    default void ended(RequestSummary summary) {}
}
