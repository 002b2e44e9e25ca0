package io.penstock.exchange;

/**
 * An upgraded connection: bytes in both directions, without framing. A read waits for the client while the input is empty. A write waits
 * for the client while the output has no room in memory or on disk.
 *
 * <p>Thread: {@link #input}: one application thread at a time; {@link #output} likewise. The others: any.
 */
public interface RawConnection {

    /** The client's bytes. Ends when the client closes its output. */
    RequestBody input();

    /** The bytes to the client. {@link ResponseSink#finish} closes the output; reads are still possible. The output has no heads. */
    ResponseSink output();

    /** Stops reading, sends the bytes written so far, then ends the connection. Does not wait. Idempotent. */
    void close();

    /** Requests a call of {@link Upgrade#leave}: the application ends, and the connection must end with it. Idempotent. */
    void askToLeave();

    /** Whether the application or the server is ending. This becomes true before the input ends for this reason. */
    boolean isLeaving();

    /** Whether the connection has ended. */
    boolean hasEnded();
}
