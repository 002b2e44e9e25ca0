package io.penstock.loadtest.client;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls on one connection that are not complete, in order. Thread: the thread of the {@link ClientLoop}. Owns: the call objects, which
 * are reused.
 */
final class CallQueue {
    private final ArrayDeque<PendingCall> pending = new ArrayDeque<>(2);
    private final ArrayDeque<PendingCall> spare = new ArrayDeque<>(2);

    PendingCall add(Request request, long deadline, Exchange exchange) {
        PendingCall call = spare.poll();
        if (call == null) {
            call = new PendingCall(request, deadline, exchange);
        } else {
            call.reuse(request, deadline, exchange);
        }
        pending.add(call);
        return call;
    }

    /** The call to which the next response belongs; null if the queue is empty. */
    @Nullable
    PendingCall first() {
        return pending.peek();
    }

    /**
     * Removes the first call, which is complete. If the socket has taken the whole request, the object of the call is kept for a later
     * call.
     */
    void completeFirst() {
        PendingCall call = pending.remove();
        if (call.isSent()) {
            spare.add(call);
        }
    }

    int size() {
        return pending.size();
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    long earliestDeadline() {
        return pending.stream().mapToLong(PendingCall::deadline).min().orElse(HttpConnection.NO_DEADLINE);
    }

    /** Empties the queue, and returns its calls. */
    List<PendingCall> takeAll() {
        List<PendingCall> taken = new ArrayList<>(pending);
        pending.clear();
        return taken;
    }

    /**
     * One request on a connection, and the receiver of its response. The connection reuses this object for a later request. If the later
     * request is the same {@link Request} object, only the buffer is rewound.
     *
     * <p>Thread: the thread of the {@link ClientLoop}. Owns: a view of the buffer with the encoded request. This object is reused only
     * after the whole view has been sent.
     */
    static final class PendingCall {
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

    /**
     * Passes the parts of a response to the {@link Exchange} of the first call in the queue. Thread: the thread of the {@link ClientLoop}.
     */
    static final class ExchangeSink implements ResponseReader.ResponseSink {
        private final CallQueue calls;
        private final List<Fields.Field> lines = new ArrayList<>();

        ExchangeSink(CallQueue calls) {
            this.calls = calls;
        }

        @Override
        public boolean wantsFields() {
            CallQueue.PendingCall call = calls.first();
            return call != null && call.exchange().wantsFields();
        }

        @Override
        public void onField(String name, String value) {
            lines.add(new Fields.Field(name, value));
        }

        @Override
        public void onInterim(int status) {
            lines.clear();
        }

        @Override
        public void onHead(int status) {
            Fields fields = lines.isEmpty() ? Fields.NONE : new Fields(lines);
            lines.clear();
            CallQueue.PendingCall call = calls.first();
            if (call != null) {
                call.exchange().onHead(status, fields);
            }
        }

        @Override
        public void onBody(ByteBuffer bytes) {
            CallQueue.PendingCall call = calls.first();
            if (call != null) {
                call.exchange().onBody(bytes);
            }
        }
    }
}
