package io.penstock.exchange;

import io.penstock.limits.Counter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Future;

/**
 * An upgraded connection, on which bytes are sent in both directions without HTTP framing. A read waits for the client while the input is
 * empty. A write waits for the client while the output has no room in memory or on disk.
 *
 * <p>Thread: one application thread at a time uses {@link #input}, and one application thread at a time uses {@link #output}. All other
 * methods: any.
 */
public interface RawConnection {

    /** The bytes from the client. The input ends when the client closes its sending direction. */
    RequestBody input();

    /**
     * The bytes to the client. {@link ResponseSink#finish} closes the output. After that, the input can still be read. The output has no
     * response heads.
     */
    ResponseSink output();

    /** Takes bytes without waiting for the client, as {@link io.penstock.part.UpgradedConnection#offer}. */
    void offer(ByteBuffer head, ByteBuffer payload, boolean mayUseDisk) throws IOException;

    /** Waits until {@link #offer} can take bytes into memory. Returns false if {@code nanos} have passed first. */
    boolean awaitRoom(long nanos) throws IOException;

    /** The bytes that were written and that the client has not taken, in memory and on disk. */
    long pendingBytes();

    /** Runs {@code action} on a worker, in no order with the jobs of the exchange. The action may wait for the disk. */
    void work(Runnable action);

    /** Runs {@code action} after {@code delay}, on the thread of the server's scheduler. */
    Future<?> after(Duration delay, Runnable action);

    /** Adds to a counter of the server. */
    void count(Counter counter, long number);

    /** Stops reading, sends the bytes that have been written, and ends the connection. Does not wait. Idempotent. */
    void close();

    /** Requests a call of {@link Upgrade#leave}, because the application is being stopped and the connection must end. Idempotent. */
    void requestLeave();

    /** Whether the application or the server is being stopped. The result becomes true before the input ends for this reason. */
    boolean isLeaving();

    /** Whether the connection has ended. */
    boolean hasEnded();
}
