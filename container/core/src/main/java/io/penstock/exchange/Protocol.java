package io.penstock.exchange;

import io.penstock.limits.Key;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;

/**
 * Makes the conversations of one protocol. The server has already reported the open connection to listeners. The handler that is made here
 * reports the close ({@link io.penstock.events.ConnectionEvents#closed}).
 *
 * <p>Thread: the reactor of the link; {@link #name} any.
 */
public interface Protocol {

    /** The name of HTTP/1.1 in ALPN (RFC 7301 section 6). Connections that negotiate no protocol use HTTP/1.1. */
    String HTTP_1_1 = "http/1.1";

    /** The protocol's name in ALPN. */
    String name();

    /** Makes a conversation on a new link. */
    Conversation open(Link link, AcceptedConnection accepted);

    /**
     * Makes the handler of a connection beyond a limit of connections. The handler answers any request with an error response, and closes
     * the link. It is not a conversation, and the connection is not counted as open.
     *
     * <p>The handler must not write or close before this call has returned, since the link does not know the handler until then. The
     * handler begins when the link first calls it. For a call at once, the handler can use {@link Link#signal}, or a task of {@link
     * io.penstock.reactor.Reactor#execute} that runs in {@link Link#contain}.
     *
     * @param limit the limit; it defines the status of the response
     */
    LinkHandler refuse(Link link, AcceptedConnection accepted, Key limit);
}
