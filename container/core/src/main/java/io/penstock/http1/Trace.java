package io.penstock.http1;

import io.penstock.events.Request;
import io.penstock.events.Side;
import io.penstock.exchange.ServerResources;
import io.penstock.http.RequestHead;
import io.penstock.pipe.ResponsePipe;
import io.penstock.reactor.Link;
import java.net.SocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is told of one request on its way: nothing, where nobody listens; {@link RequestTrace} tells. So nobody on the way asks whether
 * somebody listens.
 *
 * <p>Thread: that of each moment, as {@link io.penstock.events.ConnectionEvents} says.
 */
class Trace {
    static final Trace NONE = new Trace();

    /** For {@link #NONE} and those who tell. */
    Trace() {}

    /**
     * The trace of a request.
     *
     * @param number which of its connection's requests, from 1
     * @param head null if not even its request line could be read
     * @param began when its first byte was read, by the reactor's clock
     */
    static Trace begin(Http1Connection connection, long number, @Nullable RequestHead head, long began) {
        if (!connection.server().followsNow()) {
            return NONE;
        }
        String id = connection.id();
        SocketAddress remote = connection.link().remote();
        Request request = head == null
                ? unread(id, number, remote)
                : new Request(
                        id,
                        number,
                        remote,
                        head.method(),
                        head.target().raw(),
                        head.version().text(),
                        name -> Optional.ofNullable(head.fields().first(name)));
        return new RequestTrace(
                connection.server(),
                connection.link().reactor(),
                connection.outbound().pipe(),
                request,
                began);
    }

    /** The trace of a client's one request that nobody will read, whatever it is. */
    static Trace beginUnread(ServerResources server, String id, Link link, ResponsePipe out) {
        return server.followsNow()
                ? new RequestTrace(
                        server,
                        link.reactor(),
                        out,
                        unread(id, 1, link.remote()),
                        link.reactor().now())
                : NONE;
    }

    private static Request unread(String id, long number, SocketAddress remote) {
        return new Request(id, number, remote, "", "", "", name -> Optional.empty());
    }

    /** Which request it is, for the operator: its name, method and path; empty where nobody listens. */
    String describe() {
        return "";
    }

    /** The head is judged, and a body is to come. */
    void expecting() {}

    /** So many bytes of the body have come until now. */
    void received(long bytes) {}

    void bodyArrived(long bytes) {}

    void spilled(Side side, long bytes) {}

    /** Whoever serves the request waits for its client, on this thread; {@link #goesOn} follows. */
    void waits(Side side) {}

    /** It waits no longer. */
    void goesOn(Side side) {}

    void queued() {}

    void taken() {}

    /** Whose request it is. */
    void user(String name) {}

    /** The head of the response is the next that enters the pipe. Returns what its client is told of where the time has gone until now. */
    ServerTiming responding(int status) {
        return ServerTiming.NONE;
    }

    /** It is answered without a worker. */
    void refused(int status, String reason) {}

    /** The response is given up. */
    void aborted(String reason) {}

    /** The last byte of the response is in the pipe. */
    void leaves(Departures departures) {}

    /** The link has taken everything. */
    void left(long end) {}

    /** The connection ended while somebody serves the request. */
    void gone(String cause) {}

    /** The connection ended, and nobody serves the request any more. */
    void lost(String cause) {}

    /** Nobody serves the request any more. */
    void over(Http1Response response) {}
}
