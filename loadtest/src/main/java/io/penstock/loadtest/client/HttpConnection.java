package io.penstock.loadtest.client;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** One kept HTTP/1.1 connection. Thread: its loop. */
@SuppressWarnings("DoNotCallSuggester") // the signatures, ahead of their inside
public final class HttpConnection {
    /** A deadline that never comes. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Hears what becomes of the connection itself. Thread: only the loop calls it. */
    public interface Listener {

        /** The connection is made. */
        default void onOpen(HttpConnection connection) {}

        /**
         * The connection is gone, and not by this side's wish; the calls on it have been told. It is the last call.
         *
         * @param cause null if the server has ended it in order: as a response had announced, or between two calls
         */
        void onClosed(HttpConnection connection, @Nullable CallException cause);
    }

    private HttpConnection() {}

    /**
     * Starts to make a connection. Requests may be sent at once; they wait for it.
     *
     * @throws CallException if that cannot even be tried: {@link Failure#NO_ROOM} or {@link Failure#CONNECT_FAILED}
     */
    public static HttpConnection open(ClientLoop loop, InetSocketAddress to, Listener listener) throws CallException {
        throw new UnsupportedOperationException(to + " " + listener);
    }

    /**
     * Sends a request behind those that are pending already. Nothing is told to the exchange before this method returns.
     *
     * @param deadline when the response must be complete, as the loop's clock gives it, or {@link #NO_DEADLINE}
     */
    public void send(Request request, long deadline, Exchange exchange) {
        throw new UnsupportedOperationException(request + " " + deadline + " " + exchange);
    }

    /** Whether the connection is made and requests may be sent on it. */
    public boolean isOpen() {
        throw new UnsupportedOperationException();
    }

    /** How many calls have been sent and not yet ended. */
    public int pending() {
        throw new UnsupportedOperationException();
    }

    /** Closes the connection. Calls that are pending, and the listener, hear nothing more. */
    public void close() {
        throw new UnsupportedOperationException();
    }

    /** Closes the connection with a reset, which leaves nothing to wait for on either side. Nobody hears anything more. */
    public void abort() {
        throw new UnsupportedOperationException();
    }
}
