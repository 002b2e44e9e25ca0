package io.penstock.loadtest.client;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One request on a connection, and the receiver of its response. The connection reuses this object for a later request. If the later
 * request is the same {@link Request} object, only the buffer is rewound.
 *
 * <p>Thread: the thread of the {@link ClientLoop}. Owns: a view of the buffer with the encoded request. This object is reused only after
 * the whole view has been sent.
 */
final class PendingCall {
    private Request request;
    private Exchange exchange;
    private ByteBuffer bytes;
    private long deadline;

    PendingCall(Request request, long deadline, Exchange exchange) {
        this.request = request;
        this.exchange = exchange;
        this.deadline = deadline;
        this.bytes = request.encoded().duplicate();
    }

    void reuse(Request next, long nextDeadline, Exchange nextExchange) {
        if (request == next) {
            bytes.rewind();
        } else {
            request = next;
            bytes = next.encoded().duplicate();
        }
        deadline = nextDeadline;
        exchange = nextExchange;
    }

    /** The part of the encoded request that is not sent yet. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Whether the socket has taken the whole encoded request. */
    boolean isSent() {
        return !bytes.hasRemaining();
    }

    /** The body to send after the encoded request; null if there is none. */
    @Nullable
    Body body() {
        return request.body();
    }

    boolean isHead() {
        return request.isHead();
    }

    Exchange exchange() {
        return exchange;
    }

    long deadline() {
        return deadline;
    }
}
