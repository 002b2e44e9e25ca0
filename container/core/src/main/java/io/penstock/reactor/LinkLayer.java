package io.penstock.reactor;

import java.util.function.Function;

/**
 * What lies between the sockets of a listener and the conversations on them, such as encryption. It makes a link over each socket's link,
 * and the conversation on that.
 *
 * <p>Its buffers come from a budget of its own, and none is held at rest. A conversation that waits for memory is not read, so the layer
 * keeps what has come until others have given memory back. If that were the memory which is waited for, all would wait for each other.
 *
 * <p>Thread: the reactor.
 */
@FunctionalInterface
public interface LinkLayer {

    /** Conversations have the socket itself. */
    LinkLayer NONE = (socket, conversation) -> conversation.apply(socket);

    /**
     * Makes the handler of a socket's link: the one that gets its events, and hands on what concerns the conversation.
     *
     * @param conversation makes the conversation on a link; called once, now or when the layer knows that there will be one
     */
    LinkHandler open(Link socket, Function<Link, LinkHandler> conversation);
}
