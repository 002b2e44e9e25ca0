package io.penstock.exchange;

import io.penstock.limits.Key;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;

/**
 * Makes the conversations of one protocol. The server has already reported to listeners that the connection is open. The handler that is
 * made here reports its close ({@link io.penstock.events.ConnectionEvents#closed}).
 *
 * <p>Thread: the reactor of the link; {@link #name} any.
 */
public interface Protocol {

    /** The name of HTTP/1.1 in ALPN (RFC 7301 section 6): the protocol of connections that negotiate none. */
    String HTTP_1_1 = "http/1.1";

    /** Its name in ALPN. */
    String name();

    /** Makes a conversation on a new link. */
    Conversation open(Link link, AcceptedConnection accepted);

    /**
     * Makes the handler of a client whose connection exceeds a limit of connections. The handler answers any request by a response that says
     * so, and closes the link. It is not a conversation, and the connection is not counted as open.
     *
     * <p>The handler must not write or close anything before this call has returned, since the link does not know the handler until then.
     * It begins when the link next calls it. To be called at once, it uses {@link Link#signal}, or a task of {@link
     * io.penstock.reactor.Reactor#execute} that runs in {@link Link#contain}.
     *
     * @param limit has the status of the response
     */
    LinkHandler refuse(Link link, AcceptedConnection accepted, Key limit);
}
