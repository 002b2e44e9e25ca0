package io.penstock.http1;

import io.penstock.events.Side;
import io.penstock.http.RequestHead;
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
        return connection.service().followsRequests() ? new RequestTrace(connection, number, head, began) : NONE;
    }

    /** So many bytes of the body have come until now. */
    void received(long bytes) {}

    void bodyArrived(long bytes) {}

    void spilled(Side side, long bytes) {}

    void queued() {}

    void taken() {}

    /** The head of the response is the next that enters the pipe. */
    void responding(int status) {}

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
