package io.penstock.loadtest.client;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One request that is sent or about to be sent, and the receiver of its response. The connection reuses this object, so a
 * repeated request only rewinds a buffer.
 *
 * <p>Thread: the loop. Owns: a view of the encoded request; it is sent to its end before the call is reused.
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

    /** Whether the socket has taken the encoded request. */
    boolean isSent() {
        return !bytes.hasRemaining();
    }

    /** The body that follows the encoded request. */
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
