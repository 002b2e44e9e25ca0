package io.penstock.exchange;

import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;

/**
 * One client's conversation in some protocol: all that a server knows of it. Where it is held over a link that wraps another, such as one that
 * encrypts, it is found by {@link LinkHandler#conversation}.
 *
 * <p>Thread: the link's reactor. The end of a server comes in three calls, each after the one before: {@link #finish}, {@link #cut}, {@link
 * #end}.
 */
public interface Conversation extends LinkHandler {

    /** What the conversation waits for. */
    ConnectionState state();

    /** Its state and its bytes, for the operator. */
    ConnectionSnapshot snapshot();

    /** Bytes of requests that it holds, in memory and on disk. */
    long requestBytes();

    /** Bytes of responses that it holds, in memory and in files. */
    long responseBytes();

    /** Nanoseconds since it was opened. */
    long ageNanos();

    /** No connection is accepted any more: an idle conversation ends now, a busy one with its response. */
    void finish() throws IOException;

    /** The server waits no longer: a request whose response has not begun is answered 503. */
    void cut() throws IOException;

    /** The server has ended. A client whose response is incomplete must be able to notice that. */
    void end();

    /** Ends the conversation at once. */
    void close(ConnectionClosed cause);
}
