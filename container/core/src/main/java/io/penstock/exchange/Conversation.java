package io.penstock.exchange;

import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;

/**
 * One client's conversation in some protocol, as the server sees it. If its link wraps another, for example to encrypt, {@link
 * LinkHandler#conversation} finds it.
 *
 * <p>A server ends its conversations by three calls, in this order: {@link #finish}, {@link #cut}, {@link #end}. These and the following
 * words mean the same in a protocol, its exchanges and the links:
 *
 * <ul>
 *   <li><i>finish</i>: begin nothing new, and complete what has begun.
 *   <li><i>cut</i>: the server waits no longer. Requests whose response has not begun are answered 503.
 *   <li><i>end</i>: the connection closes at once.
 *   <li><i>abort</i>: a response ends early, and its client can notice that it is incomplete ({@link ResponseSink#abort}).
 *   <li><i>abandon</i>: no worker will run a job, for the workers have ended ({@link io.penstock.work.Job#abandon}).
 *   <li><i>discard</i>: a request gets no answer, since its connection has ended ({@link QueueWait.Request#discard}).
 *   <li><i>fail</i>: something is broken. Later calls throw the first cause.
 *   <li><i>close</i>: the object releases its resources. A connection is closed with a cause.
 * </ul>
 *
 * <p>Thread: the link's reactor.
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

    /** Nanoseconds since the connection was opened. */
    long ageNanos();

    /**
     * The server accepts no more connections. An idle conversation ends now, a busy conversation ends with its response. A new one has
     * {@link Shutdown#FIRST_REQUEST} to become busy.
     */
    void finish() throws IOException;

    /** The server waits no longer: a request whose response has not begun is answered 503. */
    void cut() throws IOException;

    /** The server has ended. A client whose response is incomplete must be able to notice that. */
    void end();

    /** Ends the conversation at once. */
    void close(ConnectionClosed cause);
}
