package io.penstock.exchange;

import io.penstock.limits.Key;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;

/**
 * Creates the handlers of connections for one protocol. The server has already reported to listeners that the connection is open. The
 * created handler must report the end of the connection ({@link io.penstock.events.ConnectionEvents#closed}).
 *
 * <p>Thread: the reactor of the link. {@link #name}: any.
 */
public interface Protocol {

    /** The name of HTTP/1.1 in ALPN (RFC 7301 section 6). A connection without a negotiated protocol uses HTTP/1.1. */
    String HTTP_1_1 = "http/1.1";

    /** The protocol's name in ALPN. */
    String name();

    /** Creates the handler of a new connection. */
    Conversation open(Link link, AcceptedConnection accepted);

    /**
     * Creates the handler of a connection that exceeds a limit of the number of connections. The handler sends an error response to the
     * first request, and closes the link. The connection is not counted as open, so its handler is not a {@link Conversation}.
     *
     * <p>The handler must not write to the link or close it before this method has returned, since the link does not know the handler until
     * then. The handler begins its work when the link calls the handler for the first time. If the handler must be called soon, it can use
     * {@link Link#signal}. It can also use {@link io.penstock.reactor.Reactor#execute} with a task that calls {@link Link#contain}.
     *
     * @param limit the key of the exceeded limit, which defines the status of the response
     */
    LinkHandler refuse(Link link, AcceptedConnection accepted, Key limit);
}
