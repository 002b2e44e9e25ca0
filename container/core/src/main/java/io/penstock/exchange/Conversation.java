package io.penstock.exchange;

import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;

/**
 * The server's protocol handler for one connection, for example for HTTP/1.1 or HTTP/2. Another handler can wrap the conversation, for
 * example for TLS. {@link LinkHandler#conversation} of that handler returns the conversation.
 *
 * <p>A server ends its conversations by four calls, in this order: {@link #lastRequests}, {@link #finish}, {@link #cut}, {@link #end}. The
 * following words have the same meaning in all classes that handle connections and exchanges:
 *
 * <ul>
 *   <li><i>last requests</i>: tell the client to send further requests on another connection, and serve what it still sends.
 *   <li><i>finish</i>: begin no new request, and complete the current requests.
 *   <li><i>cut</i>: stop waiting for the end of requests. A request whose response has not begun gets a response with the status 503.
 *   <li><i>end</i>: close the connection at once.
 *   <li><i>abort</i>: end a response early, so that the client can notice that the response is incomplete ({@link ResponseSink#abort}).
 *   <li><i>abandon</i>: inform a job that no worker will run it, since the workers have ended ({@link io.penstock.work.Job#abandon}).
 *   <li><i>discard</i>: drop a request without a response, since its stream has ended ({@link QueueWait.Request#discard}).
 *   <li><i>fail</i>: mark an object as broken. Later calls of the object throw the first cause.
 *   <li><i>close</i>: release the resources of an object. A connection is closed with a cause.
 * </ul>
 *
 * <p>Thread: the link's reactor.
 */
public interface Conversation extends LinkHandler {

    /**
     * The event that the conversation waits for. A server may close a conversation in favour of another unless the state shows a request
     * that does not wait for the client.
     */
    ConnectionState state();

    /** The state of the conversation and its numbers of bytes, for the operator. */
    ConnectionSnapshot snapshot();

    /** The number of bytes of requests, in memory and on disk. */
    long requestBytes();

    /** The number of bytes of responses, in memory and in files. */
    long responseBytes();

    /** The number of open streams; 0 in a protocol without streams. */
    default int streams() {
        return 0;
    }

    /** The number of streams whose response waits until the client enlarges their window. */
    default int blockedStreams() {
        return 0;
    }

    /** The number of nanoseconds since the connection was opened. */
    long ageNanos();

    /**
     * The phase {@link Shutdown.Phase#LAST_REQUESTS} has begun. A conversation that begins later finds the phase in {@link
     * ServerResources#shutdown}. Does nothing if the protocol has no message for this. In HTTP/1.1, each response says it.
     */
    default void lastRequests() throws IOException {}

    /**
     * Ends the conversation as soon as its current requests are complete. An idle conversation ends now. A conversation that has had no
     * request yet ends if its first request does not arrive within {@link Shutdown#FIRST_REQUEST}.
     */
    void finish() throws IOException;

    /** Stops waiting for the end of requests. Each request whose response has not begun gets a response with the status 503. */
    void cut() throws IOException;

    /** Ends the conversation, because the server has ended. The client must be able to notice an incomplete response. */
    void end();

    /** Ends the conversation at once. */
    void close(ConnectionClosed cause);
}
