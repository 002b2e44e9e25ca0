package io.penstock.http1;

import io.penstock.pipe.ResponsePipe;
import java.net.SocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How one connection stands at one moment, for the operator.
 *
 * @param connection its name
 * @param ageNanos since it was opened
 * @param request what is being answered, empty if nothing is
 * @param requestInMemory bytes of request bodies in its pipes, and what was read too early
 * @param requestOnDisk bytes of request bodies on disk, or on their way there
 * @param responseInMemory bytes that wait in memory for the client to take them
 * @param responseInFiles bytes that wait in files: of a spooled response, or of a file that is served
 */
record Standing(
        String connection,
        SocketAddress remote,
        State state,
        long ageNanos,
        String request,
        long requestInMemory,
        long requestOnDisk,
        long responseInMemory,
        long responseInFiles) {

    /**
     * The standing of a connection, by its parts. Thread: its reactor.
     *
     * @param answered the exchange that has the turn, if one has
     */
    static Standing of(Http1Connection connection, Inbound in, boolean closing, @Nullable Http1Exchange answered) {
        IncomingBody read = answered == null ? null : answered.incoming();
        IncomingBody next = in.arriving() == read ? null : in.arriving();
        ResponsePipe pipe = connection.outbound().pipe();
        State state = closing ? State.CLOSING : in.standing();
        if (!closing && state != State.UPGRADED) {
            if (answered != null) {
                state = answered.isTaken() ? State.RUNNING : State.QUEUED;
            } else if (!pipe.isEmpty()) {
                state = State.DRAINING;
            }
        }
        return new Standing(
                connection.id(),
                connection.link().remote(),
                state,
                connection.age(),
                answered == null ? "" : answered.describe(),
                in.unread() + inMemory(read) + inMemory(next),
                onDisk(read) + onDisk(next),
                pipe.size(),
                pipe.inFiles());
    }

    private static long inMemory(@Nullable IncomingBody body) {
        return body == null ? 0 : body.inMemory();
    }

    private static long onDisk(@Nullable IncomingBody body) {
        return body == null ? 0 : body.onDisk();
    }

    /** What is being waited for; the furthest along, if a second request follows the first. */
    enum State {
        /** The first byte of a request. */
        IDLE,
        /** The rest of a head. */
        HEAD,
        /** The rest of a body. */
        BODY,
        /** The last bytes of a body to be on disk. */
        SETTLING,
        /** A worker. */
        QUEUED,
        /** The application. */
        RUNNING,
        /** The client, to take the rest of a response. */
        DRAINING,
        /** Nothing of ours: the connection speaks another protocol. */
        UPGRADED,
        /** The end of the connection. */
        CLOSING;

        String shown() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
