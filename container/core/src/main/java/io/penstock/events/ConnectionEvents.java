package io.penstock.events;

import java.net.SocketAddress;
import java.util.List;

/**
 * What happens on the server's connections, told as it happens. Access log, metrics and tests listen here; hot paths log nothing
 * themselves.
 *
 * <p>What is told of connections is told always. What is told of requests costs a little for each, and is told only if {@link
 * #followsRequests}. The moments of one request come one after the other, in this order; which of them come depends on the request:
 *
 * <pre>
 *   headArrived --> bodyArrived --> queued --> taken --> responding --> ended      a worker answered
 *   headArrived --> queued --> taken --> bodyArrived ...                           the same, where the body streams
 *   headArrived --> [bodyArrived --> queued] --> responding --> ended              answered without a worker
 *               ... --> gone --> ended                                             the connection ended before the answer had left
 * </pre>
 *
 * <p>{@code headArrived} is the first and {@code ended} the last, once for each request; {@code spilled} may come any number of times
 * between them. A head that cannot be read, or is not complete in time, begins where it is refused, with what is known of it; so
 * does the request of a client for whom there is no connection ({@code max-connections}), of which nothing is known.
 *
 * <p>Thread: said at each moment: {@code reactor}, {@code worker} and {@code keeper} are threads that others wait for, so an implementation
 * returns at once, takes no lock that is held for long, and never throws. Of different requests several threads tell at one time.
 */
public interface ConnectionEvents {

    ConnectionEvents NONE = new ConnectionEvents() {};

    /** Tells them all, in order. One that throws is reported in the log once, and keeps nothing from the others. */
    static ConnectionEvents all(List<ConnectionEvents> listeners) {
        return new AllListeners(listeners);
    }

    // ---- connections

    /** A client has connected. Thread: reactor. */
    default void opened(String connection, SocketAddress remote) {}

    /**
     * A request was answered without a worker. {@code reason} is for the operator, never for the client; where it is a bound, it is its
     * configuration key. Thread: reactor; worker if the client's next request finds no room in the queue.
     */
    default void refused(String connection, int status, String reason) {}

    /**
     * A deadline passed; {@code name} is the configuration key of the timeout. Thread: reactor; keeper for {@code service-timeout}, worker
     * for {@code async-timeout}.
     */
    default void timedOut(String connection, String name) {}

    /**
     * The response of 101 has been handed over, and from here on the connection speaks another protocol; {@code protocol} is what the
     * client has asked for. Thread: reactor.
     */
    default void upgraded(String connection, String protocol) {}

    /**
     * The connection has been closed. Thread: reactor; acceptor for a client that is closed at once.
     *
     * @param connection its name; the client's address where the client got no conversation, and so was not told of by {@link #opened}
     * @param cause the first, for which all else happened
     * @param detail what an operator should know beside the cause, such as the exception or the bound; often empty
     */
    default void closed(String connection, CloseCause cause, String detail) {}

    /**
     * A selector thread has come round late: its clients have waited that long for their turn. Told from 20 ms on. Thread: that one.
     *
     * @param reactor its name
     */
    default void late(String reactor, long nanos) {}

    /** Something of ours failed where nothing may fail; the connection was closed and the thread lives. Thread: that one. */
    default void failed(String connection, Throwable cause) {}

    // ---- requests

    /** Whether requests are to be told of one by one; asked once, before the server starts. */
    default boolean followsRequests() {
        return false;
    }

    /**
     * Whether the request whose head has come is to be told of, where {@link #followsRequests}: for who follows them at times only. If
     * another listener wants it, everyone who follows requests is told. Thread: reactor.
     */
    default boolean followsNow() {
        return true;
    }

    /** The last byte of a request's head has come. Thread: reactor. */
    default void headArrived(Request request) {}

    /**
     * The last byte of a request's body has come; a request without one is not told of. Thread: reactor.
     *
     * @param bytes of the body, without its framing
     */
    default void bodyArrived(Request request, long bytes) {}

    /**
     * Bytes go to disk: of a request whose body is larger than its pipe, or while memory is short; of a response whose client does not
     * keep up. Thread: reactor for a request, worker for a response.
     */
    default void spilled(Request request, Side side, long bytes) {}

    /**
     * Whoever serves the request waits for its client: for more of a body that streams, or for room for an answer that the disk does not
     * take. {@link #goesOn} follows, on the same thread. Thread: worker, or one of the application's.
     */
    default void waits(Request request, Side side) {}

    /** The wait is over, whatever has ended it. Thread: the same. */
    default void goesOn(Request request, Side side) {}

    /** Nothing more is waited for: the request waits for earlier answers and for a worker, if there is room. Thread: reactor. */
    default void queued(Request request) {}

    /** A worker begins to serve the request. Thread: worker. */
    default void taken(Request request, long waitedNanos) {}

    /**
     * The head of the response leaves. If the response is given up while it still lies behind earlier ones, its client gets another in its
     * place, and the end has that one's status. Thread: worker; reactor for an answer that needed none.
     */
    default void responding(Request request, int status) {}

    /**
     * The connection has ended before the request was answered; a worker that serves it goes on until it notices. Thread: reactor, or
     * the worker.
     */
    default void gone(Request request, String cause) {}

    /** Nothing more will happen for this request. Thread: whoever sent its last byte, or gave it up. */
    default void ended(RequestSummary summary) {}
}
