package io.penstock.exchange;

import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;

/**
 * Makes the conversations of one protocol. The server has told listeners that the connection is opened. The handler that is made here tells
 * them that it is closed ({@link io.penstock.events.ConnectionEvents#closed}).
 *
 * <p>Thread: the reactor of the link, but for {@link #name}, which is for any.
 */
public interface Protocol {

    /** The name of HTTP/1.1 in ALPN (RFC 7301 section 6): what is spoken where nothing is negotiated. */
    String HTTP_1_1 = "http/1.1";

    /** Its name in ALPN. */
    String name();

    /** A conversation on a new link. */
    Conversation open(Link link, Arrival arrival);

    /**
     * Makes the handler of a client on a new link for which there is no place. The handler tells the client that too many connections are
     * open, whatever it asks, and closes the link. It is no conversation: the connection has no place among those of the server.
     *
     * <p>Nothing is written or closed before this call has returned, since the link does not know its handler before. The handler begins when
     * the link next calls it: at the latest by {@link Link#signal}, or by a task of {@link io.penstock.reactor.Reactor#execute} that runs in
     * {@link Link#contain}.
     */
    LinkHandler refuse(Link link, Arrival arrival);
}
