package io.penstock.exchange;

/**
 * Both ways of a connection that has gone over to another protocol: bytes as they come, without framing. Reading waits for the
 * client where the input is empty, writing where the output has no room in memory or on disk.
 *
 * <p>Thread: {@link #input} and {@link #output} one application thread each at a time; the rest any.
 */
public interface RawConnection {

    /** What the client sends; its end is the client's end of input. */
    RequestBody input();

    /** Where bytes go; {@link ResponseSink#finish} sends the client the end of the stream, and reading goes on. There are no heads. */
    ResponseSink output();

    /** Nothing more is read; what has been written still leaves, then the connection ends. Idempotent. */
    void close();

    /** Asks for {@link Upgrade#leave}: the connection must end with its application. Idempotent. */
    void askToLeave();

    /** Whether the application or the server ends: true before the input ends for that reason. */
    boolean isLeaving();

    /** Whether the connection has ended. */
    boolean hasEnded();
}
