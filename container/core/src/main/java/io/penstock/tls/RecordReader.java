package io.penstock.tls;

import io.penstock.events.CloseCause;
import io.penstock.pipe.PipeSource;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a TLS connection, once the conversation has begun: it decrypts records. If the reader has no room for all bytes of a
 * record, the rest is kept.
 *
 * <p>The client ends its input by a message of TLS (RFC 8446 section 6.1). If the socket ends without this message, an attacker may have
 * cut bytes off, so this is a failure ({@link CloseCause#TRUNCATED}).
 *
 * <p>Thread: the reactor. Owns the records, and the bytes that it keeps.
 */
final class RecordReader {
    /** Returned if the budget has no room; nothing has been read. */
    static final int NO_ROOM = -2;

    /**
     * The most records in a row without bytes for the reader: empty records, warnings, key updates. Each costs the reactor some time. The
     * engine answers key updates, so this limit also applies to the answers that a client does not take. No honest client sends so many.
     */
    private static final int MOST_WITHOUT_BYTES = 32;

    private static final String SECOND_HANDSHAKE = "a second handshake";

    private final SSLEngine engine;
    private final IncomingRecords records;
    private final TlsBuffers buffers;
    private final RecordWriter writer;
    private @Nullable ByteBuffer kept; // bytes that are decrypted and not read
    private int withoutBytes; // records in a row without bytes for the reader
    private int unanswered; // records without bytes since the engine last had no message to send
    private boolean ended;
    private boolean engineMessage;

    RecordReader(SSLEngine engine, IncomingRecords records, TlsBuffers buffers, RecordWriter writer) {
        this.engine = engine;
        this.records = records;
        this.buffers = buffers;
        this.writer = writer;
    }

    /** Reads as {@link PipeSource#read(ByteBuffer[], int)}. Returns {@link #NO_ROOM} if the budget has no room. Reads the socket at most once. */
    long read(ByteBuffer[] targets, int count) throws IOException {
        if (!writer.owes()) {
            unanswered = 0;
        }
        long taken = takeKept(targets, count);
        if (ended || isFull(targets, count)) {
            return taken == 0 && ended ? -1 : taken;
        }
        ByteBuffer working = records.begin();
        if (working == null) {
            return taken > 0 ? taken : NO_ROOM;
        }
        try {
            taken += decrypt(working, targets, count);
            if (!ended && !isFull(targets, count)) {
                int most = Math.max(room(targets, count), TlsBuffers.RECORD);
                int come = records.fill(working, most);
                if (come > 0) {
                    taken += decrypt(working, targets, count);
                } else if (come < 0 && taken == 0) { // with bytes taken, the next read finds the end again
                    throw new ConnectionClosed(CloseCause.TRUNCATED);
                }
            }
        } catch (SSLException e) {
            throw failed(TlsFailure.of(e, CloseCause.TLS_FAILED));
        } finally {
            if (ended) {
                working.position(working.limit()); // bytes behind the end are ignored
            }
            records.end(working);
        }
        return taken == 0 && ended ? -1 : taken;
    }

    /** Whether kept bytes can be read while the socket has none. */
    boolean hasMore() {
        return kept != null || ended || records.hasRecord();
    }

    /** Whether the engine has a message to send that no thread has noticed yet. */
    boolean hasWords() {
        return engineMessage;
    }

    /** As {@link #hasWords}, and clears the mark. The caller must then make sure that the message is sent. */
    boolean takeWords() {
        boolean found = engineMessage;
        engineMessage = false;
        return found;
    }

    /** Whether the client has ended its input. */
    boolean hasEnded() {
        return ended;
    }

    private long decrypt(ByteBuffer working, ByteBuffer[] targets, int count) throws IOException {
        long taken = 0;
        while (!ended && !isFull(targets, count)) {
            IncomingRecords.refuseTooLong(working);
            refuseHandshake(working);
            SSLEngineResult result = engine.unwrap(working, targets, 0, count);
            switch (result.getStatus()) {
                case OK, CLOSED -> {
                    taken += result.bytesProduced();
                    look(result);
                }
                case BUFFER_UNDERFLOW -> {
                    return taken;
                }
                case BUFFER_OVERFLOW -> {
                    int before = working.position();
                    taken += decryptMore(working, targets, count);
                    if (working.position() == before) {
                        return taken; // the record has not arrived completely
                    }
                }
            }
        }
        return taken;
    }

    /**
     * Refuses records of a second handshake. In TLS 1.2, the type of each record is visible. In TLS 1.3, no allowed record after the
     * handshake shows one of the two types. In a second handshake of TLS 1.2 the engine's only alert would be close_notify, which some
     * clients take for success. In TLS 1.3 the engine ignores a change of ciphers at any time, although the standard requires a refusal
     * (RFC 8446 section 5).
     */
    private void refuseHandshake(ByteBuffer working) throws ConnectionClosed {
        if (working.hasRemaining()) {
            byte type = working.get(working.position());
            if (type == IncomingRecords.HANDSHAKE || type == IncomingRecords.CHANGE_CIPHER_SPEC) {
                throw failed(new ConnectionClosed(CloseCause.TLS_FAILED, SECOND_HANDSHAKE));
            }
        }
    }

    /** Decrypts a record that may be too large for the targets. */
    private long decryptMore(ByteBuffer working, ByteBuffer[] targets, int count) throws IOException {
        ByteBuffer content = buffers.borrow();
        try {
            look(engine.unwrap(working, content));
            long taken = move(content.flip(), targets, count);
            if (content.hasRemaining()) {
                kept = buffers.keep(content);
            }
            return taken;
        } finally {
            buffers.giveBack(content);
        }
    }

    /** The record may be a message of the TLS protocol itself. */
    private void look(SSLEngineResult result) throws IOException {
        HandshakeStatus status = result.getHandshakeStatus();
        if (result.bytesProduced() > TlsBuffers.CONTENT) { // in TLS 1.3 the JDK does not check this
            throw failed(new ConnectionClosed(CloseCause.TLS_FAILED, "record too long"));
        }
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            ended = true;
        }
        if (status == HandshakeStatus.NEED_WRAP) {
            writer.owe();
            engineMessage = true;
        } else if (status == HandshakeStatus.NEED_TASK) {
            throw failed(new ConnectionClosed(CloseCause.TLS_FAILED, SECOND_HANDSHAKE));
        }
        if (result.bytesProduced() > 0) {
            withoutBytes = 0;
        } else if (result.bytesConsumed() > 0) {
            withoutBytes++;
            unanswered += writer.owes() ? 1 : 0;
            if (Math.max(withoutBytes, unanswered) > MOST_WITHOUT_BYTES) {
                throw failed(new ConnectionClosed(CloseCause.TLS_FAILED, "too many records without data"));
            }
        }
    }

    private ConnectionClosed failed(ConnectionClosed cause) {
        writer.fatalAlert(cause);
        return cause;
    }

    private long takeKept(ByteBuffer[] targets, int count) {
        ByteBuffer known = kept;
        if (known == null) {
            return 0;
        }
        long taken = move(known, targets, count);
        if (!known.hasRemaining()) {
            releaseKept();
        }
        return taken;
    }

    private static long move(ByteBuffer source, ByteBuffer[] targets, int count) {
        long before = source.remaining();
        for (int i = 0; i < count && source.hasRemaining(); i++) {
            ByteBuffer target = targets[i];
            int part = Math.min(target.remaining(), source.remaining());
            target.put(source.slice(source.position(), part));
            source.position(source.position() + part);
        }
        return before - source.remaining();
    }

    private static boolean isFull(ByteBuffer[] targets, int count) {
        return room(targets, count) == 0;
    }

    private static int room(ByteBuffer[] targets, int count) {
        int room = 0;
        for (int i = 0; i < count; i++) {
            room += targets[i].remaining();
        }
        return room;
    }

    /** The connection has closed. */
    void release() {
        records.release();
        releaseKept();
    }

    private void releaseKept() {
        ByteBuffer known = kept;
        if (known != null) {
            kept = null;
            buffers.release(known);
        }
    }
}
