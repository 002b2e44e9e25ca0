package io.penstock.http2;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.IdleTimeout;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.RawConnection;
import io.penstock.http.ResponseHead;
import io.penstock.http.Status;
import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A stream that begins with an extended CONNECT (RFC 8441), as WebSocket does in HTTP/2. For the application it is an upgrade: the request
 * is complete with its head, and the answer 101 gives the stream to the other protocol. The client sees 200, and then the bytes of the other
 * protocol as DATA in both directions. Bytes that the client has sent before the answer wait in the pipe.
 *
 * <p>Thread: methods of {@link RawConnection.Carrier}, and {@link #isOpen}: any; the others: the reactor.
 *
 * <pre>
 *   DECIDING --101--> OPEN --both directions have ended, reset--> ENDED
 *        \--any other answer, as for other requests
 * </pre>
 */
final class Tunnel implements RawConnection.Carrier {
    private final Http2Connection connection;
    private final Http2Stream stream;
    private final StreamDecoder decoder = new StreamDecoder(-1);
    private final IncomingBody incoming;

    // Set by other threads, which then ask for attention.
    private volatile @Nullable RawConnection upgraded; // before the answer: null
    private volatile boolean leaves;
    private final AtomicReference<@Nullable ConnectionClosed> closing = new AtomicReference<>();

    private @Nullable Deadline deadline;
    private @Nullable IdleTimeout idle; // made when the tunnel opens
    private boolean lingers;

    Tunnel(Http2Connection connection, Http2Stream stream) {
        this.connection = connection;
        this.stream = stream;
        this.incoming = RawConnection.input(connection.server(), decoder, this);
    }

    IncomingBody incoming() {
        return incoming;
    }

    StreamDecoder decoder() {
        return decoder;
    }

    /** Whether the application has accepted the tunnel, and the tunnel has not ended. */
    boolean isOpen() {
        RawConnection now = upgraded;
        return now != null && !now.hasEnded();
    }

    /**
     * The head of an answer, as the client gets it. A tunnel is open for the client with any status of 2xx (RFC 9110 section 9.3.6), so an
     * application that has answered as if to an ordinary GET must not use one.
     */
    static ResponseHead onTheWire(ResponseHead head) {
        int status = head.status();
        if (status == Status.SWITCHING_PROTOCOLS) {
            return new ResponseHead(200, head.fields(), -1);
        }
        return status < 300 ? new ResponseHead(501, head.fields(), head.contentLength()) : head;
    }

    // ---- reactor

    /** The client has sent bytes. */
    void arrived() {
        if (idle != null && !lingers) {
            idle.restart();
        }
    }

    /** Does what other threads have asked for. */
    void attend() throws IOException {
        RawConnection now = upgraded;
        if (now == null || stream.isReset()) {
            return;
        }
        if (idle == null) {
            connection.server().events().upgraded(stream.id(), now.protocol());
            deadline = new Deadline(connection.link()) {
                @Override
                protected void passed() {
                    stream.contain(Tunnel.this::timePassed);
                }
            };
            idle = new IdleTimeout(stream.output().pipe(), deadline, timeouts().upgradeIdle());
            idle.restart();
        }
        if (leaves || connection.isFinishing()) {
            now.beginLeaving();
            incoming.finish();
            stream.forgetBody();
            now.leave();
        }
        long end = stream.output().hasEnd() ? -1 : now.output().end();
        if (end >= 0) {
            stream.output().endAt(end);
            stream.sendLater();
        }
        ConnectionClosed cause = closing.get();
        if (cause == null && stream.hasEndedInput()) {
            cause = new ConnectionClosed(CloseCause.CLIENT_CLOSED);
        }
        if (cause != null && stream.output().hasEnded()) {
            now.onClosed(cause);
        }
    }

    /**
     * Both sides of the application have ended. Returns whether the client may still end its direction: a reset would tell it that the tunnel
     * has failed.
     */
    boolean lingers() {
        Deadline set = deadline;
        if (set == null) {
            return false; // the answer was another one
        }
        if (!lingers) {
            lingers = true;
            set.in(timeouts().linger());
        }
        return true;
    }

    private void timePassed() throws IOException {
        IdleTimeout traffic = idle;
        if (lingers) {
            stream.reset(ErrorCode.NO_ERROR, "the client has not ended its tunnel");
        } else if (traffic != null && (traffic.hasMoved() || !connection.isReading() || incoming.room() == 0)) {
            traffic.restart(); // while the server does not read, the client is not idle
        } else {
            stream.timedOut(Key.UPGRADE_IDLE_TIMEOUT);
            stream.reset(ErrorCode.CANCEL, CloseCause.UPGRADE_IDLE_TIMEOUT.meaning());
        }
    }

    private Timeouts timeouts() {
        return connection.timeouts();
    }

    /** The stream has been reset, or its connection has closed. */
    void onReset(ConnectionClosed cause) {
        RawConnection now = upgraded;
        if (now != null) {
            now.onClosed(cause);
        }
    }

    /** The stream is over, or its connection has closed. */
    void release() {
        if (deadline != null) {
            deadline.remove();
        }
        if (upgraded == null) {
            incoming.discard(); // nobody reads what has arrived
        }
    }

    // ---- RawConnection.Carrier

    @Override
    public void upgraded(RawConnection next) {
        upgraded = next;
        stream.wantAttention();
        IOException failure = stream.output().pipe().failure();
        if (failure != null) { // perhaps before the reactor could know the tunnel
            next.onClosed(ConnectionClosed.of(failure));
        }
    }

    @Override
    public void wantAttention() {
        stream.wantAttention();
    }

    @Override
    public void outputEnds() {
        stream.wantAttention();
    }

    @Override
    public void closeAfterResponse(ConnectionClosed cause) {
        closing.compareAndSet(null, cause);
        stream.wantAttention();
    }

    /** The error of RFC 8441 section 5 for an end that is not orderly. */
    @Override
    public void reset(ConnectionClosed cause) {
        stream.failed(ErrorCode.CANCEL);
    }

    @Override
    public void requestLeave() {
        leaves = true;
        stream.wantAttention();
    }
}
