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
 * @param request what is being answered, drains or arrives; empty if nothing does, or its head has not come
 * @param requestInMemory bytes of request bodies in its pipes, and what was read too early
 * @param requestOnDisk bytes of request bodies on disk, or on their way there
 * @param responseInMemory bytes that wait in memory for the client to take them
 * @param responseInFiles bytes that wait in files: of a spooled response, or of a file that is served
 */
public record Standing(
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
        return new Standing(
                connection.id(),
                connection.link().remote(),
                state(in, pipe, closing, answered),
                connection.age(),
                request(connection.outbound(), in, answered),
                in.unread() + inMemory(read) + inMemory(next),
                onDisk(read) + onDisk(next),
                pipe.size(),
                pipe.inFiles());
    }

    /** The furthest along, as for the state. */
    private static String request(Outbound out, Inbound in, @Nullable Http1Exchange answered) {
        if (answered != null) {
            return answered.describe();
        }
        return (out.isEmpty() ? in.told() : out.departing()).describe();
    }

    /** What a connection waits for. Thread: its reactor. */
    static State state(Inbound in, ResponsePipe pipe, boolean closing, @Nullable Http1Exchange answered) {
        State arriving = in.standing();
        if (closing) {
            return State.CLOSING;
        }
        if (arriving == State.UPGRADED) {
            return arriving;
        }
        if (answered != null) {
            return answered.isTaken() ? State.RUNNING : State.QUEUED;
        }
        return pipe.isEmpty() ? arriving : State.DRAINING;
    }

    /** Bytes of requests that a connection holds, wherever they are. Thread: its reactor. */
    static long requestsHeldBy(Inbound in, @Nullable Http1Exchange answered) {
        IncomingBody read = answered == null ? null : answered.incoming();
        IncomingBody next = in.arriving() == read ? null : in.arriving();
        return in.unread() + inMemory(read) + inMemory(next) + onDisk(read) + onDisk(next);
    }

    /** Bytes of responses that a connection holds, wherever they are. Thread: its reactor. */
    static long responsesHeldBy(ResponsePipe pipe) {
        return pipe.size() + pipe.inFiles();
    }

    /** The bytes of requests of this one. */
    long requestsHeld() {
        return requestInMemory + requestOnDisk;
    }

    /** The bytes of responses of this one. */
    long responsesHeld() {
        return responseInMemory + responseInFiles;
    }

    private static long inMemory(@Nullable IncomingBody body) {
        return body == null ? 0 : body.inMemory();
    }

    private static long onDisk(@Nullable IncomingBody body) {
        return body == null ? 0 : body.onDisk();
    }

    /** What is being waited for; the furthest along, if a second request follows the first. */
    public enum State {
        IDLE("a request"),
        HEAD("the client: the rest of a head"),
        BODY("the client: the rest of a body"),
        SETTLING("the disk: the last of a body"),
        QUEUED("a worker"),
        RUNNING("the application"),
        DRAINING("the client: to take a response"),
        UPGRADED("nothing of ours: it speaks another protocol"),
        CLOSING("the client: to close");

        private final String waitsFor;

        State(String waitsFor) {
            this.waitsFor = waitsFor;
        }

        /** What the connection waits for, in words. */
        public String waitsFor() {
            return waitsFor;
        }

        public String shown() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
