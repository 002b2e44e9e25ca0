package io.penstock.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
 * The TLS handshake of one connection. The {@link SSLEngine} is made when the first record has arrived, so a client that has sent less
 * costs no engine. The long calculations of the engine run on the threads of {@link TlsTasks}. No other code uses the engine during a
 * calculation.
 *
 * <p>The engine counts in the memory budget of {@link TlsBuffers} from the begin of the handshake to its end: {@link #ENGINE}, and the
 * bytes of all records that it has read. While the handshake waits for its client, it is also one of the {@link WaitingHandshakes}. An
 * engine makes an object of each message in a record. Messages can be tiny, so these objects can be 45 times as large as the record. For
 * this reason the engine reads a larger record on a thread of {@link TlsTasks}, together with the tasks that follow: so only a few engines
 * have such objects at one time.
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

    /** The memory of an engine in a handshake, with this object and its parts, but without large messages of the client. */
    static final int ENGINE = 16 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** A fatal alert {@code unexpected_message} (RFC 8446 section 6). It is sent to a client that does not begin a handshake. */
    private static final byte[] UNEXPECTED = {21, 3, 3, 0, 2, 2, 10};

    private final TlsLink link;
    private final Link socket;
    private final TlsLayer layer;
    private final LinkLayer.Opening opening;
    private final IncomingRecords records;
    private final Runnable makeRoom = this::makeRoom;
    private State state = State.READING;
    private int count;
    private @Nullable SSLEngine engine;
    private long engineBytes; // the bytes of the engine that count in the memory budget
    private @Nullable RecordWriter writer;
    private @Nullable ConnectionClosed end; // not null in the state LINGERING
    private boolean isChallenge;
    private @Nullable Deadline linger;

    // Whether a thread of the tasks uses the engine.
    @GuardedBy("this")
    private boolean inTask;

    // This field is written under the monitor. The threads of the tasks read it.
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

    private TlsBuffers buffers() {
        return layer.buffers();
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
        ByteBuffer working = records.begin(engine != null);
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
        noteWaiting();
    }

    private void noteWaiting() {
        long held = engineBytes + records.keptBytes();
        if (held > 0 && isWaiting()) {
            layer.waiting().add(makeRoom, held);
        }
    }

    private boolean isWaiting() {
        return state == State.READING || state == State.WRITING;
    }

    /** Closes the connection if it still waits for its client. Any thread may call this method. */
    private void makeRoom() {
        socket.reactor()
                .execute(() -> socket.contain(() -> {
                    if (isWaiting()) {
                        throw new ConnectionClosed(CloseCause.MEMORY_BUDGET, Key.TLS_BUDGET.id());
                    }
                }));
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
            if (!ClientHello.hasCome(working)) {
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
                    ByteBuffer large = records.takeLarge(working);
                    if (large != null) {
                        calculate(known, large);
                    } else if (!unwrap(known, working)) {
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
                case NEED_TASK -> calculate(known, NOTHING);
                case NOT_HANDSHAKING, FINISHED -> agree(known, out);
            }
        }
    }

    /** Whether the first message of a client decides which engine the client gets. */
    private boolean readsHello() {
        return layer.engines().nameDecides() || layer.engines().hasChallenges();
    }

    /** @param first the first record of the client, which is complete or too long */
    private SSLEngine begin(ByteBuffer first) throws SSLException {
        ClientHello hello = readsHello() ? ClientHello.read(first) : ClientHello.SILENT;
        countEngine(ENGINE);
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

    private void countEngine(int bytes) {
        buffers().reserve(bytes);
        engineBytes += bytes;
    }

    /** Passes the next record to the engine. Returns false if the record has not arrived completely. */
    private boolean unwrap(SSLEngine known, ByteBuffer working) throws SSLException {
        IncomingRecords.refuseTooLong(working);
        SSLEngineResult result = read(known, working);
        if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
            return false;
        }
        countRecord(result.bytesConsumed());
        return true;
    }

    private static SSLEngineResult read(SSLEngine known, ByteBuffer records) throws SSLException {
        SSLEngineResult result = known.unwrap(records, NOTHING.duplicate());
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new SSLException("the client has ended the handshake");
        }
        return result;
    }

    private void countRecord(int bytes) throws SSLException {
        countEngine(bytes);
        count++;
        if (count > MAX_RECORDS) {
            throw new SSLException("too many records");
        }
    }

    private void want(boolean readable, boolean writable) {
        link.wantReadable(readable);
        socket.wantWritable(writable);
    }

    // ---- tasks

    /** @param record a record that the engine reads before its tasks run, in a buffer of {@link TlsBuffers}; or {@link #NOTHING} */
    private void calculate(SSLEngine known, ByteBuffer record) throws IOException {
        boolean accepted = false;
        try {
            if (record.hasRemaining()) {
                countRecord(record.remaining());
            }
            setInTask(true);
            accepted = layer.tasks().offer(() -> runTasks(known, record));
        } finally {
            if (!accepted) {
                setInTask(false);
                buffers().release(record);
            }
        }
        if (!accepted) {
            throw new ConnectionClosed(CloseCause.OVERLOADED, Key.TLS_TASKS.id());
        }
        state = State.CALCULATING;
        want(false, false);
        layer.waiting().remove(makeRoom);
    }

    /** Runs the tasks of the engine, on a thread of {@link TlsTasks}. */
    private void runTasks(SSLEngine known, ByteBuffer record) {
        try {
            if (record.hasRemaining() && !closed) {
                read(known, record);
                if (record.hasRemaining()) {
                    throw new SSLException("an unexpected record");
                }
            }
            for (Runnable task = next(known); task != null; task = next(known)) {
                // If the task fails because of TLS, the engine throws the exception in a later call.
                task.run();
            }
        } catch (SSLException e) {
            back(() -> fail(TlsFailure.of(e, CloseCause.HANDSHAKE_FAILED)));
            return;
        } catch (RuntimeException | Error e) { // for example: no memory is left
            back(() -> {
                throw ConnectionClosed.of(e);
            });
            throw e;
        } finally {
            buffers().release(record);
            setInTask(false);
        }
        back(this::calculated);
    }

    /** If the connection has been closed during the tasks, the thread of the tasks gives back the engine. */
    private synchronized void setInTask(boolean begins) {
        inTask = begins;
        if (closed && !begins) {
            releaseEngine();
        }
    }

    private void back(Link.Part part) {
        socket.reactor()
                .execute(() -> socket.contain(() -> {
                    state = State.READING;
                    part.run();
                }));
    }

    private @Nullable Runnable next(SSLEngine known) {
        return closed ? null : known.getDelegatedTask();
    }

    private void calculated() throws IOException {
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
        release();
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

    /** Gives back what this handshake holds beside the buffers of its reader and its writer. */
    private void release() {
        layer.waiting().remove(makeRoom);
        releaseEngine();
    }

    private void releaseEngine() {
        buffers().giveBack(engineBytes);
        engineBytes = 0;
        engine = null;
    }

    private void linger(ConnectionClosed cause) throws IOException {
        state = State.LINGERING;
        end = cause;
        records.release();
        releaseWriter();
        release();
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
        records.release();
        releaseWriter();
        layer.waiting().remove(makeRoom);
        synchronized (this) {
            closed = true;
            if (!inTask) {
                releaseEngine();
            }
        }
        if (linger != null) {
            linger.remove();
        }
        return end == null ? cause : end;
    }

    private void releaseWriter() {
        if (writer != null) {
            writer.release();
            writer = null;
        }
    }
}
