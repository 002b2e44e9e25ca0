package io.penstock.exchange;

import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;
import io.penstock.reactor.TlsSession;
import io.penstock.rules.ErrorDocuments;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, independent of the protocol. Workers run the code of an exchange in turns, one turn at a time ({@link
 * Continuations}). The exchange is over when two conditions are true: its response has ended, and no turn runs. A response ends by {@link
 * ResponseSink#finish}, by a write with the argument {@code last}, or by {@link ResponseSink#abort}. While the response has not ended, the
 * end of a turn does not end the exchange.
 */
public interface Exchange {

    RequestHead head();

    RequestBody body();

    Response response();

    /** The client and the connection, as applications see them. Each call creates a new object. Any thread. */
    Peer peer();

    /** The TLS session of the client; null if the client has no TLS connection to this server ({@link Peer#tls}). Any thread. */
    default @Nullable TlsSession tls() {
        return peer().tls();
    }

    /** The route that {@link Admission} found for this request. */
    Object route();

    /**
     * The account of bytes on disk. All requests of the server share this account. Code that writes its own files must reserve their bytes
     * in this account.
     */
    ByteAccount disk();

    /** The identifier of the request. The identifier is unique while the server runs. */
    String id();

    /**
     * The identifier of the request in its protocol, for example the number of an HTTP/2 stream. Empty if the protocol has no identifier
     * for requests.
     */
    default String protocolRequestId() {
        return "";
    }

    /**
     * The identifier of the connection in its protocol, for example the connection ID of QUIC. Empty if the protocol has no identifier for
     * connections.
     */
    default String protocolConnectionId() {
        return "";
    }

    /**
     * Runs {@code job} on a worker as a continuation of this exchange. Continuations run after {@link ExchangeHandler#handle} has returned,
     * one at a time, in the order of the calls. They are never refused. Any thread.
     */
    void resume(Runnable job);

    /**
     * Runs {@code task} on a worker, concurrently with the exchange. The task is never refused. The exchange does not wait for the end of
     * the task. The task may wait for other threads, but must not wait for a client. Any thread.
     */
    void execute(Runnable task);

    /** Calls {@link #resume} with {@code job} after {@code delay}. The returned object can cancel this call. Any thread. */
    Timeout resumeAfter(Duration delay, Runnable job);

    /**
     * Calls {@link #resume} with {@code job} if the client is gone ({@link ClientState#GONE}) before this exchange is over. If the client
     * is already gone, calls {@link #resume} at once. Replaces the job of an earlier call. Any thread.
     */
    void whenGone(Runnable job);

    /** The state of the client at this moment, as far as the server knows. Any thread. */
    default ClientState client() {
        return ClientState.PRESENT;
    }

    /** The state of a client. */
    enum ClientState {
        PRESENT,
        /** The client sends no more bytes of this request and has said so. It can still read the response. */
        INPUT_ENDED,
        /**
         * What carries the exchange ({@link RunningExchange.Stream}) has ended, so written bytes will not arrive. In HTTP/1.1 this is the
         * connection.
         */
        GONE
    }

    /** Sets the name of the authenticated user, for listeners; empty after a logout. Any thread. */
    default void user(String name) {}

    /** Sets the id of the session that the request uses, for listeners. Any thread. */
    default void session(String id) {}

    /** Tells listeners the new value of an attribute of the request; null if it has been removed. Any thread. */
    default void attribute(String name, @Nullable Object value) {}

    /** The operator's page for a response with this status; null if there is none, or if the client does not want a page. Any thread. */
    default ErrorDocuments.@Nullable Document errorPage(int status) {
        return null;
    }

    /**
     * Whether the operator's rules forbid changes of the response's content, such as compression. Any thread.
     *
     * @param response the head that the application has made
     */
    boolean isTransformForbidden(ResponseHead response);

    /**
     * Whether a call into the application has exceeded its time limit. If true, later failures are attributed to the timeout. Any thread.
     */
    boolean isOverdue();

    /**
     * Reports that the application has thrown this exception. The server counts the exceptions that a shortage of memory has caused. Any
     * thread.
     */
    default void threw(Throwable thrown) {}

    /** Counts and reports that this timeout of the exchange has expired. Any thread. */
    void timedOut(Key timeout);

    /** Whether {@link #upgrade} is possible: the client has asked for another protocol, and its whole request has arrived. Any thread. */
    default boolean isUpgradable() {
        return false;
    }

    /**
     * Gives the connection to {@code next} when the running job returns. From then on, the exchange lasts as long as the connection. Must
     * be called at most once, by a job of the exchange, after the response with the status 101 has ended.
     *
     * @throws IllegalStateException if the protocol does not support an upgrade, or if the exchange is not ready for an upgrade
     */
    default void upgrade(Upgrade next) {
        throw new IllegalStateException("This protocol does not support an upgrade");
    }

    /** A pending call of {@link #resumeAfter}. */
    interface Timeout {
        void cancel();
    }
}
