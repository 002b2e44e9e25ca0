package io.penstock.loadtest.client;

import io.penstock.time.TimerWheel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One persistent HTTP/1.1 connection. Requests can be sent before earlier requests are answered (pipelining). Responses arrive in the order
 * of the requests.
 *
 * <pre>
 *   CONNECTING ──> OPEN ──> CLOSED
 *        └──────────────────^
 * </pre>
 *
 * When the connection fails, or a deadline passes, {@link Exchange#onFailure} is called for each incomplete call, in order. After that, the
 * {@link Listener} is called. If one call has caused the failure, this call gets the cause. In this case all other calls get {@link
 * Failure#ABANDONED}, and can be sent again on another connection. If the connection itself has failed, all calls get the cause.
 *
 * <p>Thread: the thread of its {@link ClientLoop}. Owns: its {@link Wire}, and the calls, whose objects are reused.
 */
public final class HttpConnection {
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Receives the events of the connection itself. Thread: only the loop calls it. */
    public interface Listener {

        /** The connection is made. */
        default void onOpen(HttpConnection connection) {}

        /**
         * The connection has ended without a call of {@link HttpConnection#close}. The exchanges of all its
         * calls have already been notified. The listener is not called after this.
         *
         * @param cause null if the server ended the connection properly: after a response that announced the close, or while no call was
         *     pending
         */
        void onClosed(HttpConnection connection, @Nullable CallException cause);
    }

    private enum State {
        CONNECTING,
        OPEN,
        CLOSED
    }

    private final ClientLoop loop;
    private final Listener listener;
    /** The calls that are not complete, in order. */
    private final ArrayDeque<Call> calls = new ArrayDeque<>(2);

    private final ArrayDeque<Call> spare = new ArrayDeque<>(2);
    private final ResponseReader reader = new ResponseReader();
    private final DeadlineTimer timer = new DeadlineTimer();
    private final Wire wire;
    private State state = State.CONNECTING;
    private long earliestDeadline = NO_DEADLINE;

    /**
     * One request, and the receiver of its response. The object is reused for a later request when the socket has taken all of this one. If
     * the later request is the same {@link Request} object, only the buffers are rewound.
     */
    private static final class Call {
        private @Nullable Request request;
        private Exchange exchange;
        private ByteBuffer[] bytes = {};
        private long deadline;

        Call(Exchange exchange) {
            this.exchange = exchange;
        }

        void start(Request next, long until, Exchange receiver) {
            if (request == next) {
                for (ByteBuffer part : bytes) {
                    part.rewind();
                }
            } else {
                request = next;
                bytes = Arrays.stream(next.encoded()).map(ByteBuffer::duplicate).toArray(ByteBuffer[]::new);
            }
            deadline = until;
            exchange = receiver;
        }

        boolean isHead() {
            return request != null && request.isHead();
        }

        /** Whether the socket has taken the whole request. */
        boolean isSent() {
            return !bytes[bytes.length - 1].hasRemaining();
        }
    }

    private HttpConnection(ClientLoop loop, InetSocketAddress to, Listener listener) throws CallException {
        this.loop = loop;
        this.listener = listener;
        this.wire = loop.open(to, new Ear());
    }

    /**
     * Starts to make a connection. {@link #send} can be called at once; the requests are queued until the connection is open.
     *
     * @throws CallException if no attempt is possible; see {@link ClientLoop#open}
     */
    public static HttpConnection open(ClientLoop loop, InetSocketAddress to, Listener listener) throws CallException {
        return new HttpConnection(loop, to, listener);
    }

    /**
     * Sends a request after the pending requests. The exchange is not called before this method returns.
     *
     * @param deadline the time by which the response must be complete, in the time of {@link ClientLoop#now}, or {@link #NO_DEADLINE}
     * @throws IllegalStateException if the connection is closed
     */
    public void send(Request request, long deadline, Exchange exchange) {
        assert loop.onLoop();
        if (state == State.CLOSED) {
            throw new IllegalStateException("The connection is closed");
        }
        Call call = spare.isEmpty() ? new Call(exchange) : spare.remove();
        call.start(request, deadline, exchange);
        calls.add(call);
        if (calls.size() == 1) {
            reader.reset(call.isHead());
        }
        if (deadline < earliestDeadline) {
            earliestDeadline = deadline;
            loop.watch(timer, deadline);
        }
        wire.send(call.bytes);
    }

    /** Whether the connection is open, and requests can be sent on it. */
    public boolean isOpen() {
        return state == State.OPEN;
    }

    public int pending() {
        return calls.size();
    }

    /** Closes the connection. The exchanges of pending calls and the listener are not called after this. */
    public void close() {
        shut();
        wire.close();
        calls.clear();
    }

    private void shut() {
        state = State.CLOSED;
        loop.forget(timer);
    }

    /** Handles the end of a response, which belongs to the first pending call. */
    private void complete(Call call) {
        int status = reader.status();
        Exchange exchange = call.exchange;
        // A server can answer before it has read the whole request. Such a server will not read the remaining bytes.
        boolean keep = reader.isPersistent() && call.isSent();
        calls.remove();
        if (!keep) {
            finishAfter(exchange, status);
            return;
        }
        spare.add(call);
        Call next = calls.peek();
        reader.reset(next != null && next.isHead());
        if (next == null) {
            earliestDeadline = NO_DEADLINE;
            loop.pause(timer);
        }
        exchange.onComplete(status);
    }

    /** Reports the last response of the connection, and ends the connection. */
    private void finishAfter(Exchange exchange, int status) {
        shut();
        wire.close();
        try {
            exchange.onComplete(status);
        } finally {
            fail(new CallException(
                    Failure.ABANDONED, "The server has closed the connection after an earlier response"));
            tell(null);
        }
    }

    private void end(CallException cause) {
        boolean unused = calls.isEmpty() && state == State.OPEN;
        shut();
        boolean inOrder = unused && cause.failure() == Failure.CLOSED_EARLY;
        fail(cause);
        tell(inOrder ? null : cause);
    }

    /** Fails all calls. If one call has caused the failure, the other calls get {@link Failure#ABANDONED}. */
    private void fail(CallException cause) {
        Call affected = reader.isBegun() ? calls.peek() : null;
        boolean shared = cause.failure() != Failure.BAD_RESPONSE && cause.failure() != Failure.HANDLER_FAILED;
        for (Call call : takeCalls()) {
            fail(call, shared || call == affected ? cause : abandoned(cause));
        }
    }

    private void onDeadline() {
        long now = loop.now();
        CallException deadline = new CallException(Failure.DEADLINE, "No complete response before the deadline");
        shut();
        wire.close();
        for (Call call : takeCalls()) {
            fail(call, call.deadline <= now ? deadline : abandoned(deadline));
        }
        tell(deadline);
    }

    private List<Call> takeCalls() {
        List<Call> taken = new ArrayList<>(calls);
        calls.clear();
        return taken;
    }

    private void fail(Call call, CallException cause) {
        try {
            call.exchange.onFailure(cause);
        } catch (RuntimeException failed) {
            loop.report(failed);
        }
    }

    private void tell(@Nullable CallException cause) {
        try {
            listener.onClosed(this, cause);
        } catch (RuntimeException failed) {
            loop.report(failed);
        }
    }

    private static CallException abandoned(CallException cause) {
        return new CallException(
                Failure.ABANDONED,
                "Another call on the connection has failed: " + cause.failure().label(),
                cause);
    }

    /** Receives the events of the {@link Wire}. */
    private final class Ear implements Conversation {

        @Override
        public void onOpen(Wire opened) {
            state = State.OPEN;
            listener.onOpen(HttpConnection.this);
        }

        @Override
        public void onBytes(Wire from, ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining() && state == State.OPEN) {
                Call call = calls.peek();
                if (call == null) {
                    throw new ProtocolException("The server has sent bytes without a request");
                }
                if (reader.read(bytes)) {
                    complete(call);
                }
            }
        }

        @Override
        public void onEnd(Wire ended, CallException cause) {
            Call call = calls.peek();
            if (call != null && cause.failure() == Failure.CLOSED_EARLY && reader.onClose()) {
                complete(call);
            } else {
                end(cause);
            }
        }
    }

    private final class DeadlineTimer extends TimerWheel.Timer {

        @Override
        protected void expired() {
            earliestDeadline =
                    calls.stream().mapToLong(call -> call.deadline).min().orElse(NO_DEADLINE);
            if (earliestDeadline <= loop.now()) {
                onDeadline();
            } else if (earliestDeadline != NO_DEADLINE) {
                loop.watch(this, earliestDeadline);
            }
        }
    }

    /**
     * Receives the outcome of one request: exactly one of {@link #onComplete} and {@link #onFailure} is called. The load test needs only the
     * status of a response, so nobody gets its fields and its body. One object can be used for any number of requests, even at the same time.
     *
     * <p>Thread: the thread of the {@link ClientLoop}, so no method may wait. If a method throws an exception, only the connection of this
     * request ends.
     */
    public interface Exchange {

        /** The response is complete. The connection can already be used for the next request. */
        void onComplete(int status);

        /** The response will not be complete. */
        void onFailure(CallException failure);
    }
}
