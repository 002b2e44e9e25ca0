package io.penstock.http1;

import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.LinkWriter;
import io.penstock.pipe.ResponsePipe;
import org.jspecify.annotations.Nullable;

/** The state and the bytes of an HTTP/1.1 connection, collected from its parts. Thread: its reactor. */
final class Http1Snapshot {
    private Http1Snapshot() {}

    /** @param answered the exchange that is being answered, or null */
    static ConnectionSnapshot of(
            Http1Connection connection, RequestReader in, boolean closing, @Nullable Http1Exchange answered) {
        IncomingBody read = answered == null ? null : answered.incoming();
        IncomingBody next = in.arriving() == read ? null : in.arriving();
        ResponsePipe pipe = connection.writer().pipe();
        return new ConnectionSnapshot(
                connection.id(),
                connection.link().remote(),
                state(in, pipe, closing, answered),
                connection.ageNanos(),
                request(connection.writer(), in, answered),
                in.unread() + inMemory(read) + inMemory(next),
                onDisk(read) + onDisk(next),
                pipe.size(),
                pipe.inFiles());
    }

    /** Describes the request that has progressed furthest. {@link #state} reports the state of the same request. */
    private static String request(LinkWriter out, RequestReader in, @Nullable Http1Exchange answered) {
        if (answered != null) {
            return answered.describe();
        }
        return (out.isEmpty() ? in.observer() : out.sending()).describe();
    }

    /** The state of the connection. */
    static ConnectionState state(
            RequestReader in, ResponsePipe pipe, boolean closing, @Nullable Http1Exchange answered) {
        ConnectionState arriving = in.state();
        if (closing) {
            return ConnectionState.CLOSING;
        }
        if (arriving == ConnectionState.UPGRADED) {
            return arriving;
        }
        if (answered != null) {
            return answered.isTaken() ? ConnectionState.RUNNING : ConnectionState.QUEUED;
        }
        return pipe.isEmpty() ? arriving : ConnectionState.DRAINING;
    }

    /** Bytes of requests that the connection holds, in memory and on disk. */
    static long requestBytes(RequestReader in, @Nullable Http1Exchange answered) {
        IncomingBody read = answered == null ? null : answered.incoming();
        IncomingBody next = in.arriving() == read ? null : in.arriving();
        return in.unread() + inMemory(read) + inMemory(next) + onDisk(read) + onDisk(next);
    }

    private static long inMemory(@Nullable IncomingBody body) {
        return body == null ? 0 : body.inMemory();
    }

    private static long onDisk(@Nullable IncomingBody body) {
        return body == null ? 0 : body.onDisk();
    }
}
