package io.penstock.exchange;

/**
 * An upgraded connection: bytes both ways, without framing. A read waits for the client while the input is empty, a write while the output
 * has no room in memory or on disk.
 *
 * <p>Thread: {@link #input} and {@link #output} one application thread each at a time; the rest any.
 */
public interface RawConnection {

    /** The client's bytes. Ends when the client closes its output. */
    RequestBody input();

    /** The bytes to the client. {@link ResponseSink#finish} closes the output; reading goes on. It has no heads. */
    ResponseSink output();

    /** Stops reading, sends the bytes written so far, then ends the connection. Does not wait. Idempotent. */
    void close();

    /** Asks for a call of {@link Upgrade#leave}, since the application ends and the connection must end with it. Idempotent. */
    void askToLeave();

    /** Whether the application or the server ends. This is true before the input ends for that reason. */
    boolean isLeaving();

    /** Whether the connection has ended. */
    boolean hasEnded();
}
