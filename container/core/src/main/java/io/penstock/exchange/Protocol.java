package io.penstock.exchange;

import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;

/**
 * Makes the conversations of one protocol.
 *
 * <p>Thread: the reactor of the link.
 */
public interface Protocol {

    /** A conversation on a new link; {@code unfinished} belongs to the link's reactor. */
    Conversation open(Link link, UnfinishedBodies unfinished);

    /**
     * Tells a client on a new link that too many connections are open, whatever it asks, and closes the link. The handler is no conversation:
     * the connection has no place among those of the server.
     */
    LinkHandler refuse(Link link);
}
