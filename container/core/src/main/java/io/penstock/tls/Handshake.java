package io.penstock.tls;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Deadline;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The TLS handshake of one connection. The {@link SSLEngine} is made when the first byte of the handshake has arrived, so a client that
 * sends nothing costs no engine. The long calculations of the engine run on the threads of {@link TlsTasks}. No other code uses the engine
 * during a calculation.
 *
 * <p>If a handshake fails, the server sends an alert. If a client sends a request without TLS, the server sends an answer in plain text.
 * The server must not close the socket at once: a close with unread bytes causes a TCP reset, and the client can lose the alert or the
 * answer. So the server reads and drops the client's bytes until the client closes the connection or the linger time is over.
 *
 * <p>In two cases the first message of the client decides which engine the client gets. In the first case, hosts have different rules for
 * client certificates. In the second case, a challenge of a certificate authority is open ({@code tls-alpn-01}, RFC 8737). For a client
 * that checks the challenge, the connection ends after the handshake (RFC 8737 section 3).
 *
 * <p>Thread: the reactor. The tasks run on other threads.
 *
 * <pre>
 *   READING <--> CALCULATING the engine has tasks
 *     |     <--> WRITING     the socket does not take the engine's bytes
 *     |
 *     +--handshake is complete--> AGREED
 *     +--failure, or handshake for a challenge is complete--> LINGERING
 * </pre>
 */
final class Handshake {
    /**
     * The maximum number of records in a handshake. For each record the engine copies all bytes of the message that have arrived so far. So
     * a message in many small records is expensive.
     */
    private static final int MAX_RECORDS = 4096;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** A fatal alert {@code unexpected_message} (RFC 8446 section 6). It is sent to a client that does not begin a handshake. */
    private static final byte[] UNEXPECTED = {21, 3, 3, 0, 2, 2, 10};

    private final TlsLink link;
    private final Link socket;
    private final TlsLayer layer;
    private final LinkLayer.Opening opening;
    private final IncomingRecords records;
    private State state = State.READING;
    private int count;
    private @Nullable SSLEngine engine;
    private @Nullable RecordWriter writer;
    private @Nullable ConnectionClosed end; // not null in the state LINGERING
    private boolean isChallenge;
    private @Nullable Deadline linger;

    // The threads of the tasks read this field.
    private volatile boolean closed;

    private enum State {
        READING,
        CALCULATING,
        WRITING,
        AGREED,
        LINGERING
    }

    Handshake(TlsLink link, Link socket, TlsLayer layer, LinkLayer.Opening opening) {
        this.link = link;
        this.socket = socket;
        this.layer = layer;
        this.opening = opening;
        this.records = new IncomingRecords(socket, layer.buffers());
    }

    void onReadable() throws IOException {
        switch (state) {
            case READING, LINGERING -> proceed(TlsBuffers.RECORD);
            // The memory budget has room again, so the handshake continues.
            case WRITING -> proceed(0);
            // This call was requested in an earlier state.
            case CALCULATING, AGREED -> {}
        }
    }

    void onWritable() throws IOException {
        if (state == State.WRITING) {
            proceed(0);
        }
    }

    /** @param most the maximum number of bytes to read before the handshake continues */
    private void proceed(int most) throws IOException {
        ByteBuffer working = records.begin();
        if (working == null) {
            socket.wantWritable(false);
            link.awaitRoom();
            return;
        }
        try {
            if (most > 0 && records.fill(working, most) < 0) {
                throw state == State.LINGERING ? Objects.requireNonNull(end) : left(working);
            }
            if (state != State.LINGERING) {
                proceed(working);
            }
        } catch (SSLException e) {
            fail(TlsFailure.of(e, CloseCause.HANDSHAKE_FAILED));
        } finally {
            if (state == State.LINGERING) {
                working.position(working.limit());
            }
            records.end(working);
        }
    }

    private ConnectionClosed left(ByteBuffer working) {
        boolean silent = engine == null && !working.hasRemaining();
        return new ConnectionClosed(CloseCause.CLIENT_CLOSED, silent ? "before the handshake" : "during the handshake");
    }

    private void proceed(ByteBuffer working) throws IOException {
        SSLEngine known = engine;
        if (known == null) {
            if (!working.hasRemaining()) {
                return;
            }
            byte first = working.get(working.position());
            if (first != IncomingRecords.HANDSHAKE) {
                refusePlain(first);
                return;
            }
            if (readsHello() && !ClientHello.hasCome(working)) {
                want(true, false);
                return;
            }
            known = begin(working);
        }
        RecordWriter out = Objects.requireNonNull(writer);
        state = State.READING;
        while (state == State.READING) {
            switch (known.getHandshakeStatus()) {
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrap(known, working)) {
                        want(true, false);
                        return;
                    }
                }
                case NEED_WRAP -> {
                    out.markMessages();
                    if (!out.flush()) {
                        state = State.WRITING;
                        want(false, true);
                    }
                }
                case NEED_TASK -> calculate(known);
                case NOT_HANDSHAKING, FINISHED -> agree(known, out);
            }
        }
    }

    /** Whether the first message of a client decides which engine the client gets. */
    private boolean readsHello() {
        return layer.engines().nameDecides() || layer.engines().hasChallenges();
    }

    /** @param first the first record of the client. It is complete if {@link #readsHello} was true before this call */
    private SSLEngine begin(ByteBuffer first) throws SSLException {
        // A challenge can be opened after the caller has called readsHello(). In this case the record is possibly
        // incomplete.
        ClientHello hello = readsHello() && ClientHello.hasCome(first) ? ClientHello.read(first) : ClientHello.SILENT;
        SSLEngine made = challenge(hello);
        isChallenge = made != null;
        if (made == null) {
            made = layer.engines().create(hello.serverName());
            SSLParameters parameters = made.getSSLParameters();
            parameters.setApplicationProtocols(opening.protocols().toArray(String[]::new));
            made.setSSLParameters(parameters);
        }
        made.beginHandshake();
        engine = made;
        writer = new RecordWriter(socket, made, layer.buffers());
        return made;
    }

    private @Nullable SSLEngine challenge(ClientHello hello) {
        String host = hello.challenged();
        return host == null ? null : layer.engines().challenge(host);
    }

    /** Passes the next record to the engine. Returns false if the record has not arrived completely. */
    private boolean unwrap(SSLEngine known, ByteBuffer working) throws SSLException {
        IncomingRecords.refuseTooLong(working);
        SSLEngineResult result = known.unwrap(working, NOTHING.duplicate());
        switch (result.getStatus()) {
            case BUFFER_UNDERFLOW -> {
                return false;
            }
            case CLOSED -> throw new SSLException("the client has ended the handshake");
            case OK, BUFFER_OVERFLOW -> {
                count++;
                if (count > MAX_RECORDS) {
                    throw new SSLException("too many records");
                }
            }
        }
        return true;
    }

    private void want(boolean readable, boolean writable) {
        link.wantReadable(readable);
        socket.wantWritable(writable);
    }

    // ---- tasks

    private void calculate(SSLEngine known) throws ConnectionClosed {
        state = State.CALCULATING;
        want(false, false);
        if (!layer.tasks().offer(() -> runTasks(known))) {
            throw new ConnectionClosed(CloseCause.OVERLOADED, Key.TLS_TASKS.id());
        }
    }

    /** Runs the tasks of the engine, on a thread of {@link TlsTasks}. */
    private void runTasks(SSLEngine known) {
        try {
            for (Runnable task = next(known); task != null; task = next(known)) {
                // If the task fails because of TLS, the engine throws the exception in a later call.
                task.run();
            }
        } catch (RuntimeException | Error e) { // for example: no memory is left
            back(() -> {
                throw ConnectionClosed.of(e);
            });
            throw e;
        }
        back(this::calculated);
    }

    private void back(Link.Part part) {
        socket.reactor().execute(() -> socket.contain(part));
    }

    private @Nullable Runnable next(SSLEngine known) {
        return closed ? null : known.getDelegatedTask();
    }

    private void calculated() throws IOException {
        state = State.READING;
        proceed(0);
        link.afterStep();
    }

    // ---- the end

    private void agree(SSLEngine known, RecordWriter out) throws IOException {
        if (known.isInboundDone() || known.isOutboundDone()) {
            throw new SSLException("the client has ended the handshake");
        }
        layer.server().count(Counter.HANDSHAKES);
        if (isChallenge) {
            ConnectionClosed cause =
                    new ConnectionClosed(CloseCause.CLIENT_CLOSED, "the ACME authority has checked a challenge");
            out.sendFinalAlert(cause);
            linger(cause);
            return;
        }
        state = State.AGREED;
        want(true, false);
        String protocol = known.getApplicationProtocol();
        link.agreed(
                SessionFacts.of(known, layer.engines()),
                new RecordReader(known, records, layer.buffers(), out),
                out,
                opening,
                protocol == null || protocol.isEmpty() ? null : protocol);
    }

    /**
     * Answers a client that does not begin a handshake. If the first byte is a capital letter, the client has sent an HTTP request without
     * TLS.
     */
    private void refusePlain(byte first) throws IOException {
        boolean letter = first >= 'A' && first <= 'Z';
        socket.write(new ByteBuffer[] {letter ? layer.toPlainText() : ByteBuffer.wrap(UNEXPECTED)}, 0, 1);
        linger(new ConnectionClosed(
                CloseCause.HANDSHAKE_FAILED, letter ? "a request without TLS" : "the first bytes are not TLS"));
    }

    private void fail(ConnectionClosed cause) throws IOException {
        if (writer != null) {
            writer.fatalAlert(cause);
        }
        linger(cause);
    }

    private void linger(ConnectionClosed cause) throws IOException {
        state = State.LINGERING;
        end = cause;
        socket.shutdownOutput();
        want(true, false);
        linger = new Deadline(socket) {
            @Override
            protected void passed() {
                layer.server().reached(Key.LINGER_TIMEOUT);
                socket.close(cause);
            }
        };
        linger.in(layer.server().config().timeouts().linger());
    }

    /**
     * Called when the connection has been closed. Returns the cause that the server reports. If the handshake had failed before, the result
     * is the cause of that failure.
     */
    ConnectionClosed onClosed(ConnectionClosed cause) {
        closed = true;
        records.release();
        if (writer != null) {
            writer.release();
        }
        if (linger != null) {
            linger.remove();
        }
        return end == null ? cause : end;
    }
}
