package io.penstock.loadtest.client;

import io.penstock.time.TimerWheel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
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
 * <p>Thread: the thread of its {@link ClientLoop}. Owns: its {@link Wire}, and the calls that are not complete.
 */
public final class HttpConnection {
    /** A deadline that never comes. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Receives the events of the connection itself. Thread: only the loop calls it. */
    public interface Listener {

        /** The connection is made. */
        default void onOpen(HttpConnection connection) {}

        /**
         * The connection has ended without a call of {@link HttpConnection#close} or {@link HttpConnection#abort}. The exchanges of all its
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
    private final CallQueue calls = new CallQueue();
    // Calls that can be sent only after the body of an earlier call. Each of these calls is also in {@code calls}.
    private final ArrayDeque<CallQueue.PendingCall> unsent = new ArrayDeque<>(1);
    private final ResponseReader reader = new ResponseReader();
    private final ResponseReader.ResponseSink sink = new CallQueue.ExchangeSink(calls);
    private final DeadlineTimer timer = new DeadlineTimer();
    private final Wire wire;
    private @Nullable BodySender bodies;
    // The last call whose body the connection has begun to send.
    private CallQueue.@Nullable PendingCall bodySentOf;
    private State state = State.CONNECTING;
    private long earliestDeadline = NO_DEADLINE;

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
        CallQueue.PendingCall call = calls.add(request, deadline, exchange);
        if (calls.first() == call) {
            reader.reset(call.isHead());
        }
        if (deadline < earliestDeadline) {
            earliestDeadline = deadline;
            loop.watch(timer, deadline);
        }
        if (isSendingBody()) {
            unsent.add(call);
        } else {
            send(call);
        }
    }

    /** Whether the connection is open, and requests can be sent on it. */
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** The number of calls that are not complete. */
    public int pending() {
        return calls.size();
    }

    /** Closes the connection. The exchanges of pending calls and the listener are not called after this. */
    public void close() {
        shut();
        wire.close();
        calls.takeAll();
    }

    /**
     * Closes the connection with a reset, so that neither side waits for data or a close. The exchanges of pending calls and the listener
     * are not called after this.
     */
    public void abort() {
        shut();
        wire.abort();
        calls.takeAll();
    }

    private void send(CallQueue.PendingCall call) {
        Body body = call.body();
        if (body != null) {
            if (bodies == null) {
                bodies = new BodySender();
            }
            bodies.start(body);
            bodySentOf = call;
        }
        wire.send(call.bytes());
    }

    private boolean isSendingBody() {
        return bodies != null && bodies.isBusy();
    }

    private void shut() {
        state = State.CLOSED;
        unsent.clear();
        loop.forget(timer);
    }

    /** Handles the end of a response, which belongs to the first pending call. */
    private void complete(CallQueue.PendingCall call) {
        int status = reader.status();
        // A server can answer before it has read the whole request. Such a server will not read the remaining bytes.
        boolean sent = call.isSent() && !(isSendingBody() && bodySentOf == call);
        boolean keep = reader.isPersistent() && sent;
        Exchange exchange = call.exchange();
        calls.completeFirst();
        CallQueue.PendingCall next = calls.first();
        if (!keep) {
            finishAfter(exchange, status);
            return;
        }
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

    /** Handles the end of the connection, with the given cause. */
    private void end(CallException cause) {
        boolean unused = calls.isEmpty() && state == State.OPEN;
        shut();
        boolean inOrder = unused && cause.failure() == Failure.CLOSED_EARLY;
        fail(cause);
        tell(inOrder ? null : cause);
    }

    /** Fails all calls. If one call has caused the failure, the other calls get {@link Failure#ABANDONED}. */
    private void fail(CallException cause) {
        CallQueue.PendingCall affectedCall = affectedCall();
        boolean shared = cause.failure() != Failure.BAD_RESPONSE && cause.failure() != Failure.HANDLER_FAILED;
        for (CallQueue.PendingCall call : calls.takeAll()) {
            fail(call, shared || call == affectedCall ? cause : abandoned(cause));
        }
    }

    /** The call whose response is being read. If there is no such call, the call whose body is being sent. */
    private CallQueue.@Nullable PendingCall affectedCall() {
        if (reader.isBegun()) {
            return calls.first();
        }
        return isSendingBody() ? bodySentOf : null;
    }

    private void onDeadline() {
        long now = loop.now();
        CallException deadline = new CallException(Failure.DEADLINE, "No complete response before the deadline");
        shut();
        wire.close();
        for (CallQueue.PendingCall call : calls.takeAll()) {
            fail(call, call.deadline() <= now ? deadline : abandoned(deadline));
        }
        tell(deadline);
    }

    private void fail(CallQueue.PendingCall call, CallException cause) {
        try {
            call.exchange().onFailure(cause);
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
                CallQueue.PendingCall call = calls.first();
                if (call == null) {
                    throw new ProtocolException("The server has sent bytes without a request");
                }
                if (reader.read(bytes, sink) && state == State.OPEN) {
                    complete(call);
                }
            }
        }

        @Override
        public void onSent(Wire from) throws IOException {
            if (bodies != null && bodies.isBusy()) {
                wire.send(nextPiece(bodies));
            } else if (!unsent.isEmpty()) {
                send(unsent.remove());
            }
        }

        private ByteBuffer nextPiece(BodySender sender) throws CallException {
            try {
                return sender.next();
            } catch (IOException failed) {
                throw new CallException(Failure.HANDLER_FAILED, String.valueOf(failed.getMessage()), failed);
            }
        }

        @Override
        public void onEnd(Wire ended, CallException cause) {
            CallQueue.PendingCall call = calls.first();
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
            earliestDeadline = calls.earliestDeadline();
            if (earliestDeadline <= loop.now()) {
                onDeadline();
            } else if (earliestDeadline != NO_DEADLINE) {
                loop.watch(this, earliestDeadline);
            }
        }
    }
}
