package io.penstock.exchange;

import io.penstock.http.RequestHead;
import io.penstock.limits.ByteAccount;
import io.penstock.limits.Key;
import io.penstock.reactor.TlsSession;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, in any protocol. The exchange is over when its response has ended ({@link ResponseSink#finish}, a {@code
 * last} write, or {@link ResponseSink#abort}) and none of its turns runs. The end of a turn does not end the exchange if the response has
 * not ended.
 */
public interface Exchange {

    RequestHead head();

    RequestBody body();

    ResponseSink response();

    /** The connection, as an application may see it. Each call makes a new object. Any thread. */
    Peer peer();

    /** The session of an encrypted connection, or null; the same as {@link Peer#tls}. Any thread. */
    default @Nullable TlsSession tls() {
        return peer().tls();
    }

    /** The route that {@link Admission} found for this request. */
    Object route();

    /**
     * The account of bytes on disk that all requests of the server share. Code that writes its own files must reserve the bytes of these
     * files in this account.
     */
    ByteAccount disk();

    /** The request's identifier, unique within the server's life. */
    String id();

    /** The request's identifier in its protocol, such as the number of an HTTP/2 stream; empty if the protocol has none. */
    default String protocolRequestId() {
        return "";
    }

    /** The connection's identifier in its protocol, such as that of a QUIC connection; empty if the protocol has none. */
    default String protocolConnectionId() {
        return "";
    }

    /**
     * Runs {@code job} on a worker as a continuation of this exchange. Continuations run one at a time, after the first dispatch, in the
     * order of calls, and are never refused. Any thread.
     */
    void resume(Runnable job);

    /**
     * Runs {@code task} on a worker, concurrently with the exchange. The task is never refused, and the exchange does not wait for it. The
     * task may wait for other threads, but not for a client. Any thread.
     */
    void execute(Runnable task);

    /** Calls {@link #resume} with {@code job} after {@code delay}, unless cancelled. Any thread. */
    Timeout resumeAfter(Duration delay, Runnable job);

    /**
     * Calls {@link #resume} with {@code job} if the client disconnects before this exchange is over; at once if it has already
     * disconnected. Replaces the job of an earlier call. Any thread.
     */
    void whenGone(Runnable job);

    /** The state of the client at this moment, as far as the server knows. Any thread. */
    default ClientState client() {
        return ClientState.PRESENT;
    }

    /** The state of a client. */
    enum ClientState {
        PRESENT,
        /** The client has ended its input, and may still read. */
        INPUT_ENDED,
        /** The connection has ended: written bytes will not arrive. */
        GONE
    }

    /** Sets the name of the authenticated user, for listeners; empty after a logout. Any thread. */
    default void user(String name) {}

    /** Whether a rule of the operator forbids changes of the response's content, such as compression. Any thread. */
    default boolean isTransformForbidden() {
        return false;
    }

    /** Whether a call into the application has exceeded its time. Later failures are attributed to the timeout. Any thread. */
    boolean isOverdue();

    /**
     * Reports an exception of the application after it has been answered or logged. The server counts exceptions that are due to a shortage
     * of memory. Any thread.
     */
    default void threw(Throwable thrown) {}

    /** Counts and reports that a timeout of this exchange has passed. Any thread. */
    void timedOut(Key timeout);

    /** Whether {@link #upgrade} is possible: the client has asked for another protocol, and its whole request has arrived. Any thread. */
    default boolean isUpgradable() {
        return false;
    }

    /**
     * Hands the connection to {@code next} when the running job returns. The exchange then lasts as long as the connection. Called at most
     * once, by a job of the exchange, after the response 101 has ended.
     *
     * @throws IllegalStateException if the protocol has no upgrade, or the exchange is not ready for one
     */
    default void upgrade(Upgrade next) {
        throw new IllegalStateException("This protocol does not support an upgrade");
    }

    /** A pending {@link #resumeAfter}. */
    interface Timeout {
        void cancel();
    }
}
