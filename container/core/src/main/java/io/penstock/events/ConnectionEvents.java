package io.penstock.events;

import java.net.SocketAddress;
import java.util.List;

/**
 * Listens to events of the server's connections and requests. Access log, metrics and tests are listeners; the code that serves requests
 * logs nothing itself.
 *
 * <p>Events of connections are always reported. Events of requests are reported only if {@link #followsRequests} returns true, since they
 * cost a little time for each request. The events of one request come one after the other, in one of these orders:
 *
 * <pre>
 *   headArrived --> bodyArrived --> queued --> taken --> responding --> ended      a worker answered
 *   headArrived --> queued --> taken --> bodyArrived ...                           the same, where the body streams
 *   headArrived --> [bodyArrived --> queued] --> responding --> ended              answered without a worker
 *               ... --> gone --> ended                                             the connection ended before the response was sent
 * </pre>
 *
 * <p>For each request, {@code headArrived} is the first event and {@code ended} the last; each comes once. {@code spilled} may come any
 * number of times between them. If a head cannot be parsed or is not complete in time, {@code headArrived} comes with the refusal. Its
 * {@link Request} has the known parts of the head. The same applies to a connection beyond {@code max-connections}, but no part of its
 * request is known.
 *
 * <p>Thread: see each method. {@code reactor}, {@code worker} and {@code scheduler} are threads that serve many clients. So an
 * implementation returns at once, takes no lock that another thread holds for long, and never throws. Several threads may call an
 * implementation at the same time, for different requests.
 */
public interface ConnectionEvents {

    ConnectionEvents NONE = new ConnectionEvents() {};

    /**
     * Combines listeners: the result calls all of them, in order. If a listener throws, the other listeners are still called. The first
     * exception is logged as an error.
     */
    static ConnectionEvents all(List<ConnectionEvents> listeners) {
        return new AllListeners(listeners);
    }

    // ---- connections

    /** A client has connected. Thread: reactor. */
    default void opened(String connection, SocketAddress remote) {}

    /**
     * A request was answered without a worker. {@code reason} is for the operator, never for the client. If a limit was reached, it is the
     * configuration key of the limit. Thread: reactor. If the queue has no room for a connection's next request: the worker that has just
     * answered the former request.
     */
    default void refused(String connection, int status, String reason) {}

    /**
     * A deadline passed; {@code name} is the configuration key of the timeout. Thread: reactor; scheduler for {@code service-timeout}, worker
     * for {@code async-timeout}.
     */
    default void timedOut(String connection, String name) {}

    /**
     * The connection uses another protocol from now on; the 101 response has been handed over. The client has requested {@code protocol}.
     * Thread: reactor.
     */
    default void upgraded(String connection, String protocol) {}

    /**
     * The connection has been closed. Thread: reactor; acceptor if the client is disconnected at once.
     *
     * @param connection the connection's name; or the client's address if the client was disconnected before {@link #opened} was called
     * @param cause the first cause
     * @param detail for the operator, in addition to the cause, such as the exception or the bound; often empty
     */
    default void closed(String connection, CloseCause cause, String detail) {}

    /**
     * A round of a selector thread took 20 ms or longer. The clients of this thread have waited meanwhile. Thread: that selector thread.
     *
     * @param reactor the name of the thread
     */
    default void late(String reactor, long nanos) {}

    /**
     * The server itself has failed on a connection. The connection was closed, and the thread continues. Thread: the thread that failed.
     */
    default void failed(String connection, Throwable cause) {}

    // ---- requests

    /** Whether this listener wants events of requests. Called once, before the server starts. */
    default boolean followsRequests() {
        return false;
    }

    /**
     * Whether this listener wants the events of the request whose head has just arrived. A listener may return false if it {@linkplain
     * #followsRequests follows requests} only at times. If any listener returns true, all listeners that follow requests get the events.
     * Thread: reactor.
     */
    default boolean followsNow() {
        return true;
    }

    /** The last byte of a request's head has arrived. Thread: reactor. */
    default void headArrived(Request request) {}

    /**
     * The last byte of a request's body has arrived; not called for a request without a body. Thread: reactor.
     *
     * @param bytes the length of the body, without its framing
     */
    default void bodyArrived(Request request, long bytes) {}

    /**
     * Bytes of a body go to disk. A request's body goes to disk if it is larger than its pipe, or while memory is short. A response's body
     * goes to disk if its client reads too slowly. Thread: reactor for a request, worker for a response.
     */
    default void spilled(Request request, Side side, long bytes) {}

    /**
     * The thread that serves the request now waits for the client: for more bytes of a streaming body, or for room for a response that
     * cannot go to disk. {@link #goesOn} follows on the same thread. Thread: worker, or a thread of the application.
     */
    default void waits(Request request, Side side) {}

    /** The wait has ended, for any reason. Thread: the thread that waited. */
    default void goesOn(Request request, Side side) {}

    /**
     * The server needs no more bytes of the request. The request now waits for earlier responses and, if the queue has room, for a worker.
     * Thread: reactor.
     */
    default void queued(Request request) {}

    /** A worker begins to serve the request. Thread: worker. */
    default void taken(Request request, long waitedNanos) {}

    /**
     * The server begins to send the head of the response. If this response is aborted while it still waits behind earlier responses, the
     * client gets another response instead. Then {@link #ended} has the status of that other response. Thread: worker; reactor if no worker
     * answers.
     */
    default void responding(Request request, int status) {}

    /**
     * The connection ended before the request was answered. If a worker serves the request, it continues until it notices this. Thread:
     * reactor, or the request's worker.
     */
    default void gone(Request request, String cause) {}

    /** The request has ended. Thread: the thread that sent the last byte of the response or aborted the response. */
    default void ended(RequestSummary summary) {}
}
