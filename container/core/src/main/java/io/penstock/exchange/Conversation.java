package io.penstock.exchange;

import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;

/**
 * The server's side of a connection, in any protocol. If the link wraps another link, for example for TLS, {@link LinkHandler#conversation}
 * finds the conversation.
 *
 * <p>A server ends its conversations by three calls, in this order: {@link #finish}, {@link #cut}, {@link #end}. The words of this list
 * mean the same in a protocol, its exchanges and the links:
 *
 * <ul>
 *   <li><i>finish</i>: begin no new request, and complete the present ones.
 *   <li><i>cut</i>: the server waits no longer. A request whose response has not begun is answered 503.
 *   <li><i>end</i>: the connection closes at once.
 *   <li><i>abort</i>: a response ends early, and its client can notice that it is incomplete ({@link ResponseSink#abort}).
 *   <li><i>abandon</i>: no worker will run the job, since the workers have ended ({@link io.penstock.work.Job#abandon}).
 *   <li><i>discard</i>: a request gets no answer, since its connection has ended ({@link QueueWait.Request#discard}).
 *   <li><i>fail</i>: the object is broken. Later calls throw the first cause.
 *   <li><i>close</i>: the object releases its resources. A connection is closed with a cause.
 * </ul>
 *
 * <p>Thread: the link's reactor.
 */
public interface Conversation extends LinkHandler {

    /** The event that the conversation waits for. */
    ConnectionState state();

    /** The state and the bytes of the conversation, for the operator. */
    ConnectionSnapshot snapshot();

    /** Bytes of requests, in memory and on disk. */
    long requestBytes();

    /** Bytes of responses, in memory and in files. */
    long responseBytes();

    /** Nanoseconds since the connection was opened. */
    long ageNanos();

    /**
     * The server accepts no more connections. An idle conversation ends now; a busy one ends after its response. A new conversation ends if
     * its first request does not arrive within {@link Shutdown#FIRST_REQUEST}.
     */
    void finish() throws IOException;

    /** The server waits no longer: a request whose response has not begun is answered 503. */
    void cut() throws IOException;

    /** The server has ended. If a response is incomplete, its client must be able to notice this. */
    void end();

    /** Ends the conversation at once. */
    void close(ConnectionClosed cause);
}
