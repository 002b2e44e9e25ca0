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
 * Sends the remaining bytes of a connection to its client, and ends the connection after the last byte. This object is made only when
 * bytes first wait for the client, or when the connection is to end: workers send most responses completely.
 *
 * <p>Thread: the reactor; {@link #endsFor} and {@link #closing} any. Owns the deadline for a client that takes nothing.
 *
 * <pre>
 *   OPEN --closeWhenSent--> CLOSING --everything is sent--> LINGERING
 *     |                       ^
 *     |                       +------------closeWhenSent------------+
 *     +--endOutput--> ENDING --everything is sent--> ENDED ---------+
 * </pre>
 *
 * <p>In LINGERING and ENDED the output has ended. In LINGERING the server still reads the client's bytes, until the client closes or time
 * is over. It does not read if the client has asked for the close and sends no more. In ENDED the server reads as before.
 */
final class ConnectionOutput {
    private static final AtomicReferenceFieldUpdater<ConnectionOutput, @Nullable ConnectionClosed> CAUSE =
            AtomicReferenceFieldUpdater.newUpdater(ConnectionOutput.class, ConnectionClosed.class, "cause");

    /** The longest time that a complete response may wait for the next one. */
    private static final Duration MOST_HELD = Duration.ofMillis(20);

    private enum State {
        OPEN,
        ENDING,
        ENDED,
        CLOSING,
        LINGERING
    }

    private final RequestReader.Connection connection;
    private final RequestReader in;
    private final LinkWriter writer;

    // Set while bytes wait for the client. Most clients take all bytes at once.
    private @Nullable Deadline deadline;

    // Set while requests are parked, so that a worker may hold a response back for the next one.
    private @Nullable Deadline holding;

    // Made when a file cannot be sent at once.
    private @Nullable FileSending files;

    private State state = State.OPEN;

    // The cause for which the connection ends with its last response. Only the first cause is kept. Written by the
    // reactor, or by the worker that ends that response.
    private volatile @Nullable ConnectionClosed cause;

    ConnectionOutput(RequestReader.Connection connection, RequestReader in, LinkWriter writer) {
        this.connection = connection;
        this.in = in;
        this.writer = writer;
    }

    /** Whether no more requests will be answered. */
    boolean isClosing() {
        return state == State.CLOSING || state == State.LINGERING;
    }

    /**
     * Sets the cause for which the connection ends after its last response. The first cause stays. It is not used if the connection fails
     * before that response is sent. Any thread.
     */
    void endsFor(ConnectionClosed why) {
        CAUSE.compareAndSet(this, null, why);
    }

    /** The first cause passed to {@link #endsFor}. Any thread. */
    ConnectionClosed closing() {
        ConnectionClosed first = cause;
        return first == null ? new ConnectionClosed(CloseCause.INTERNAL_ERROR) : first;
    }

    /** The cause to report for the close. Events after the last byte was sent do not change it. */
    ConnectionClosed causeOf(ConnectionClosed close) {
        return state == State.LINGERING ? closing() : close;
    }

    /** Sends the waiting bytes, and arranges that the rest is sent when the client continues to read. */
    void flush() throws IOException {
        if (!send() || !writer.isAllSent()) {
            return; // the rest is sent when the socket is writable, or when a writer has put its bytes back
        }
        if (isClosing()) {
            linger();
        } else if (state == State.ENDING) {
            state = State.ENDED;
            finishEnding();
        }
    }

    /** Sends bytes; returns whether all have been sent. */
    private boolean send() throws IOException {
        if (files != null && files.isUnderWay()) {
            return false; // a worker sends the file, and signals the reactor when it has finished
        }
        boolean empty = reactorFlush();
        boolean handedOver = !empty && writer.reactorMayHandOver() && files().handOver();
        link().wantWritable(!empty && !handedOver);
        if (empty || handedOver) {
            forgetDeadline();
        } else {
            deadline().in(server().config().timeouts().writeStall());
        }
        return empty;
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
     * A request is parked, so a worker may hold a response back, to send it with the next one. Makes sure that the held response is sent
     * soon.
     */
    void limitHolding() {
        if (holding == null) {
            holding = new Deadline(link()) {
                @Override
                protected void passed() throws IOException {
                    heldLongEnough();
                }
            };
            holding.in(MOST_HELD);
        }
    }

    private void heldLongEnough() throws IOException {
        // This check comes before flush(), so that a request that is parked from now on sets the deadline itself.
        if (connection.isParked()) {
            Objects.requireNonNull(holding).in(MOST_HELD);
        } else {
            holding = null;
        }
        if (!writer.isEmpty()) {
            flush();
        }
    }

    /** The application of an upgraded connection writes no more: ends the output after its bytes. */
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
            send(); // the link's closing bytes
        }
    }

    private boolean reactorFlush() throws IOException {
        try {
            return writer.reactorFlush();
        } catch (IOException e) {
            throw ConnectionClosed.of(e);
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
                // Perhaps no write waits for the client now. Then only a read shows that the client has disconnected.
                in.readOn();
            }
        }
    }

    /**
     * All bytes are sent: ends the output, and reads and drops the client's bytes for a while. A close while bytes are unread would send a
     * reset, and a reset destroys the response on its way (RFC 9112 section 9.6). A client that has asked for the close sends no more
     * bytes. Called again until the link's closing bytes are sent, too.
     */
    private void linger() throws IOException {
        state = State.LINGERING;
        shutdownOutput();
        // In the phase FINISHING the server waits for no client. In the phase CUTTING it waits again: it has refused
        // requests whose bytes are still on their way, and a reset would destroy these responses.
        boolean stays = !in.hasEnded()
                && (!server().shutdown().isFinishing() || server().shutdown().isCutting())
                && !in.sendsNoMore();
        if (stays) {
            in.linger();
        } else if (link().isFlushed()) {
            connection.close(closing());
        }
    }

    /** The connection has closed. */
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
