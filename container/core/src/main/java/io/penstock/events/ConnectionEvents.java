package io.penstock.events;

import java.net.SocketAddress;
import java.util.List;

/**
 * Listens to events of the server's connections and requests. The access log, the metrics and tests are listeners.
 *
 * <p>Events of connections are always reported. Events of requests are reported only if {@link #followsRequests} returns true, because
 * these events cost time. The events of one request are reported one after the other, in one of these orders:
 *
 * <pre>
 *   headArrived --> bodyArrived --> queued --> taken --> responding --> ended      a worker answered
 *   headArrived --> queued --> taken --> bodyArrived ...                           a worker answered, and read the body while it arrived
 *   headArrived --> [bodyArrived --> queued] --> responding --> ended              answered without a worker
 *               ... --> gone --> ended                                             the connection ended before the response was sent
 * </pre>
 *
 * <p>For each request, {@code headArrived} is the first event and {@code ended} is the last event. Each of these two events is reported
 * once. Between them, {@code spilled} can be reported any number of times. If a head cannot be parsed or is not complete in time, {@code
 * headArrived} is reported at the refusal. In this case, the {@link Request} of the event has only the known parts of the head. A
 * connection above the limit {@code max-connections} has the same events, with an empty {@link Request}.
 *
 * <p>Thread: see each method. {@code reactor} (a selector thread), {@code worker} and {@code scheduler} are threads that serve many
 * clients. So an implementation must return at once and never throw. An implementation must not wait for a lock that another thread can
 * hold for a long time. Several threads can call an implementation at the same time, for different requests.
 */
public interface ConnectionEvents {

    ConnectionEvents NONE = new ConnectionEvents() {};

    /**
     * Combines listeners. The result calls all listeners, in their order. If a listener throws, the other listeners are still called. The
     * first exception is logged as an error.
     */
    static ConnectionEvents all(List<ConnectionEvents> listeners) {
        return new AllListeners(listeners);
    }

    // ---- connections

    /** A client has connected. Thread: reactor. */
    default void opened(String connection, SocketAddress remote) {}

    /**
     * A request was answered without a worker. {@code reason} is for the operator, never for the client. If a limit was reached, {@code
     * reason} is the configuration key of the limit. Thread: reactor, or a worker. A worker calls this method if it has answered a request,
     * and the queue has no room for the next request of the same connection.
     */
    default void refused(String connection, int status, String reason) {}

    /**
     * A deadline passed. {@code name} is the configuration key of the timeout. Thread: reactor; scheduler for {@code service-timeout},
     * worker for {@code async-timeout}.
     */
    default void timedOut(String connection, String name) {}

    /**
     * The server has answered 101, and the connection uses another protocol from now on. The client has requested {@code protocol}. Thread:
     * reactor.
     */
    default void upgraded(String connection, String protocol) {}

    /**
     * The connection has been closed. Thread: reactor; acceptor if the client is disconnected at once.
     *
     * @param connection the connection's name; or the client's address if the client was disconnected before {@link #opened} was called
     * @param cause the cause of the close
     * @param detail details for the operator, such as the exception or the reached limit; often empty
     */
    default void closed(String connection, CloseCause cause, String detail) {}

    /**
     * A round of a selector thread took 20 ms or longer. A round is one call of {@code select} and the handling of its events. All clients
     * of the thread have waited for the end of the round. Thread: the selector thread.
     *
     * @param reactor the name of the thread
     */
    default void late(String reactor, long nanos) {}

    /**
     * The server's own code has thrown an exception on a connection. The connection was closed, and the thread continues. Thread: the
     * thread that failed.
     */
    default void failed(String connection, Throwable cause) {}

    // ---- requests

    /** Whether this listener wants events of requests. The server calls this method once, before the start of the server. */
    default boolean followsRequests() {
        return false;
    }

    /**
     * Whether this listener wants the events of the request whose head has just arrived. A listener can return false if it {@linkplain
     * #followsRequests follows requests}, but not at the moment. If any listener returns true, all listeners that follow requests get the
     * events. Thread: reactor.
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
     * Bytes of a body are written to disk. This happens to a request's body if the body is larger than its buffer (pipe), or while memory
     * is short. It happens to a response's body if the client reads too slowly. Thread: reactor for a request, worker for a response.
     */
    default void spilled(Request request, Side side, long bytes) {}

    /**
     * The thread that serves the request now waits for the client. The thread needs more bytes of a streaming body, or room for a response
     * that cannot be written to disk. {@link #resumed} follows on the same thread. Thread: worker, or a thread of the application.
     */
    default void waits(Request request, Side side) {}

    /** The wait after {@link #waits} has ended, for any reason. Thread: the thread that waited. */
    default void resumed(Request request, Side side) {}

    /**
     * The server needs no more bytes of the request. The request now waits for earlier responses and, if the queue has room, for a worker.
     * Thread: reactor.
     */
    default void queued(Request request) {}

    /** A worker begins to serve the request. Thread: worker. */
    default void taken(Request request, long waitedNanos) {}

    /**
     * The head of the response is complete. If this response must wait for earlier responses, it can be aborted during this wait. In this
     * case, the client gets a different response, and {@link #ended} has the status of the different response. Thread: worker; reactor if
     * no worker answers.
     */
    default void responding(Request request, int status) {}

    /**
     * The connection ended before the request was answered. A worker that serves the request continues until a read or write fails. Thread:
     * reactor, or the request's worker.
     */
    default void gone(Request request, String cause) {}

    /** The request has ended. Thread: the thread that sent the last byte of the response or aborted the response. */
    default void ended(RequestSummary summary) {}

    /**
     * The request has ended. The server calls this method, which calls {@link #ended(RequestSummary)}. A listener that asks for notes
     * implements this method instead.
     *
     * @param notes what listeners have asked for
     */
    default void ended(RequestSummary summary, Notes notes) {
        ended(summary);
    }

    /** What this listener wants to know of requests in addition to the events. Must always return the same. Any thread. */
    default Notes.Wanted wanted() {
        return Notes.Wanted.NOTHING;
    }
}
