package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.FileSending;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.ServerResources;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Sends the bytes that the socket did not take at once, and ends the connection after the last byte. Workers send most responses
 * completely, without this object. So this object is made only when it is needed for the first time.
 *
 * <p>Thread: the reactor. {@link #endsFor} and {@link #closing}: any. Owns the deadline for a client that takes no bytes.
 *
 * <pre>
 *   OPEN --closeWhenSent--> CLOSING --everything is sent--> LINGERING
 *     |                       ^
 *     |                       +------------closeWhenSent------------+
 *     +--endOutput--> ENDING --everything is sent--> ENDED ---------+
 * </pre>
 *
 * <p>In the states LINGERING and ENDED, the output has ended. In LINGERING, the server reads and drops the client's bytes until the client
 * closes or the linger timeout passes. If the client has asked for the close and sends no more bytes, the server does not read. In ENDED,
 * the server continues to read normally.
 */
final class ConnectionOutput {
    private static final AtomicReferenceFieldUpdater<ConnectionOutput, @Nullable ConnectionClosed> CAUSE =
            AtomicReferenceFieldUpdater.newUpdater(ConnectionOutput.class, ConnectionClosed.class, "cause");

    /** The longest time that a complete response may be held for the next response. */
    private static final Duration MAX_HELD = Duration.ofMillis(20);

    private enum State {
        OPEN,
        ENDING,
        ENDED,
        CLOSING,
        LINGERING
    }

    private final Http1Connection connection;
    private final RequestReader in;
    private final LinkWriter writer;

    // Set while bytes wait for the client. Most clients take all bytes at once.
    private @Nullable Deadline deadline;

    // How many bytes the client had taken when the deadline was set.
    private long taken;

    // Set while requests are parked, that is, wait until the responses before them are complete. During this time a
    // worker may hold a response for the next response.
    private @Nullable Deadline holding;

    // Made when a file cannot be sent at once.
    private @Nullable FileSending files;

    private State state = State.OPEN;

    // The cause to report when the connection ends after its last response. Only the first cause is kept. Written by
    // the reactor, or by the worker that ends the last response.
    private volatile @Nullable ConnectionClosed cause;

    ConnectionOutput(Http1Connection connection, RequestReader in, LinkWriter writer) {
        this.connection = connection;
        this.in = in;
        this.writer = writer;
    }

    /** Whether nothing is sent, and no end is decided, so that the connection can drop this object. */
    boolean isUnused() {
        return state == State.OPEN
                && cause == null
                && deadline == null
                && holding == null
                && (files == null || !files.isUnderWay());
    }

    /** Whether no more requests will be answered. */
    boolean isClosing() {
        return state == State.CLOSING || state == State.LINGERING;
    }

    /**
     * Sets the cause to report when the connection ends after its last response. Only the first cause is kept. If the connection fails
     * before the last response is sent, the cause is not reported. Any thread.
     */
    void endsFor(ConnectionClosed why) {
        CAUSE.compareAndSet(this, null, why);
    }

    /** The first cause passed to {@link #endsFor}. Any thread. */
    ConnectionClosed closing() {
        ConnectionClosed first = cause;
        return first == null ? new ConnectionClosed(CloseCause.INTERNAL_ERROR) : first;
    }

    /** The cause to report for the close. Events after the last sent byte do not change the cause. */
    ConnectionClosed causeOf(ConnectionClosed close) {
        return state == State.LINGERING || writer.hasOutputEnded() ? closing() : close;
    }

    /** Sends the waiting bytes. If the socket does not take all of them, the remaining bytes are sent later. */
    void flush() throws IOException {
        flush(false);
    }

    /** The client has taken bytes, so that the socket has room: sends further bytes. */
    void onWritable() throws IOException {
        flush(true);
    }

    private void flush(boolean progress) throws IOException {
        if (!send(progress) || !writer.isAllSent()) {
            // The remaining bytes are sent when the socket is writable, or when the thread that is writing now has
            // finished.
            return;
        }
        if (isClosing()) {
            linger();
        } else if (state == State.ENDING) {
            state = State.ENDED;
            finishEnding();
        }
    }

    /**
     * Sends bytes. Returns whether all bytes have been sent.
     *
     * @param progress whether the client has just taken bytes
     */
    private boolean send(boolean progress) throws IOException {
        if (files != null && files.isUnderWay()) {
            return false; // a worker sends the file, and signals the reactor when it has finished
        }
        boolean empty = reactorFlush();
        boolean handedOver = !empty && writer.reactorMayHandOver() && files().handOver();
        link().wantWritable(!empty && !handedOver);
        if (empty || handedOver) {
            forgetDeadline();
        } else {
            awaitClient(progress);
        }
        return empty;
    }

    /** Sets the deadline of a client that must take bytes. A worker that adds bytes for a client that takes none does not move it. */
    private void awaitClient(boolean progress) {
        long now = writer.progress();
        if (deadline == null || progress || now != taken) {
            taken = now;
            deadline().in(server().config().timeouts().writeStall());
        }
    }

    private FileSending files() {
        FileSending made = files;
        if (made == null) {
            made = new FileSending(writer, link(), server().queue());
            files = made;
        }
        return made;
    }

    /**
     * Called when a request is parked. A worker may now hold a response until it can be sent with the next response. This method limits the
     * time of the hold to {@link #MAX_HELD}.
     */
    void limitHolding() {
        if (holding == null) {
            holding = new Deadline(link()) {
                @Override
                protected void passed() throws IOException {
                    heldLongEnough();
                }
            };
            holding.in(MAX_HELD);
        }
    }

    private void heldLongEnough() throws IOException {
        // This check must be made before flush(). A request that is parked after the check sets the deadline itself.
        if (connection.responses().isParked()) {
            Objects.requireNonNull(holding).in(MAX_HELD);
        } else {
            holding = null;
        }
        if (!writer.isEmpty()) {
            flush();
        }
    }

    /** Called when the application of an upgraded connection writes no more bytes. Ends the output after the waiting bytes. */
    void endOutput() throws IOException {
        if (state == State.OPEN) {
            state = State.ENDING;
            flush();
        }
    }

    /** Whether the output has ended. */
    boolean isOutputEnded() {
        return state == State.ENDED;
    }

    private void finishEnding() throws IOException {
        if (in.isExhausted()) {
            closeWhenSent(new ConnectionClosed(CloseCause.CLIENT_CLOSED)); // both sides have ended
        } else {
            shutdownOutput();
        }
    }

    private void shutdownOutput() throws IOException {
        link().shutdownOutput();
        if (!link().isFlushed()) {
            send(false); // sends the closing bytes of the link (for TLS)
        }
    }

    private boolean reactorFlush() throws IOException {
        try {
            return writer.reactorFlush();
        } catch (IOException e) {
            ConnectionClosed failure = ConnectionClosed.of(e);
            connection.resetIfFileFailed(failure);
            throw failure;
        }
    }

    private Deadline deadline() {
        Deadline made = deadline;
        if (made == null) {
            made = new Deadline(link()) {
                @Override
                protected void passed() {
                    stalled();
                }
            };
            deadline = made;
        }
        return made;
    }

    private void forgetDeadline() {
        if (deadline != null) {
            deadline.remove();
            deadline = null;
        }
    }

    private void stalled() {
        connection.timedOut(Key.WRITE_STALL_TIMEOUT);
        connection.close(new ConnectionClosed(CloseCause.WRITE_STALL_TIMEOUT));
    }

    /** Closes the connection when the waiting bytes have been sent. */
    void closeWhenSent(ConnectionClosed why) throws IOException {
        endsFor(why);
        if (!isClosing()) {
            state = State.CLOSING;
            if (closing().reason() == CloseCause.REQUEST_CLOSE) {
                in.ignoreRestAfterLast();
            } else {
                in.ignoreRest();
            }
            flush();
            if (state == State.CLOSING && link().isOpen()) {
                // If no write waits for the client, only a read shows that the client has disconnected.
                in.readOn();
            }
        }
    }

    /**
     * Called when all bytes are sent. Ends the output, and then reads and drops the client's bytes for the linger time. If the server
     * closed the socket while received bytes are unread, the operating system would send a reset. A reset can destroy a response that is on
     * its way (RFC 9112 section 9.6). If the client has asked for the close, it sends no more bytes, so the connection is closed without
     * the linger time. This method is called again until the closing bytes of the link (for TLS) are sent.
     */
    private void linger() throws IOException {
        state = State.LINGERING;
        shutdownOutput();
        // In the phase FINISHING of a shutdown, the server waits for no client. In the phase CUTTING, the server has
        // refused requests whose bytes are still arriving. So it waits for these clients, because a reset would destroy
        // the responses.
        boolean stays = !in.hasEnded()
                && (!server().shutdown().isFinishing() || server().shutdown().isCutting())
                && !in.sendsNoMore();
        if (stays) {
            in.linger();
        } else if (link().isFlushed()) {
            connection.close(closing());
        }
    }

    /** Called when the connection has closed. */
    void onClosed() {
        forgetDeadline();
        if (holding != null) {
            holding.remove();
        }
    }

    private ServerResources server() {
        return connection.server();
    }

    private Link link() {
        return connection.link();
    }
}
