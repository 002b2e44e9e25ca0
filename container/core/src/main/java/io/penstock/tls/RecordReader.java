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
 * The reading half of a TLS connection after the handshake. It decrypts the records of the client. If the caller's buffers have no room for
 * all bytes of a record, this object keeps the remaining bytes.
 *
 * <p>The client ends its stream with the TLS message close_notify (RFC 8446 section 6.1). If the stream of the socket ends without this
 * message, an attacker possibly has cut off bytes. So the read fails with {@link CloseCause#TRUNCATED}.
 *
 * <p>Thread: the reactor. This object owns the received records and the kept bytes.
 */
final class RecordReader {
    /** The result of {@link #read} if the memory budget has no room. No byte has been read. */
    static final int NO_ROOM = -2;

    /**
     * The maximum number of records in a row without bytes for the caller: empty records, warnings. Each such record costs the reactor some
     * time. In TLS 1.3 these records are key updates, and the maximum is for all of them together: the engine keeps a copy of each until the
     * connection ends. The engine answers key updates. The same limit applies to the number of records without bytes while such an answer
     * is unsent. Well-behaved clients do not reach this limit.
     */
    private static final int MAX_WITHOUT_BYTES = 32;

    private static final String TLS_1_3 = "TLSv1.3";

    /**
     * The maximum length of a record without bytes for the caller in TLS 1.3: a key update with the padding of the JDK. A key update must be
     * the last message of its record (RFC 8446 section 5.1). The engine does not check this, and would also keep a part of a long message.
     */
    private static final int KEY_UPDATE = 43;

    private static final String SECOND_HANDSHAKE = "a second handshake";

    private final SSLEngine engine;
    private final IncomingRecords records;
    private final TlsBuffers buffers;
    private final RecordWriter writer;
    private @Nullable ByteBuffer kept; // decrypted bytes that have not been read
    private int withoutBytes; // the number of records without bytes for the caller: in a row, or in TLS 1.3 all
    // The number of records without bytes that arrived while a message of the engine was unsent.
    private int unanswered;
    private boolean ended;
    private boolean engineMessage;

    RecordReader(SSLEngine engine, IncomingRecords records, TlsBuffers buffers, RecordWriter writer) {
        this.engine = engine;
        this.records = records;
        this.buffers = buffers;
        this.writer = writer;
    }

    /**
     * Reads decrypted bytes with the rules of {@link PipeSource#read(ByteBuffer[], int)}. Returns {@link #NO_ROOM} if the memory budget has
     * no room. One call reads the socket at most once.
     */
    long read(ByteBuffer[] targets, int count) throws IOException {
        if (!writer.mayHaveMessages()) {
            unanswered = 0;
        }
        long taken = takeKept(targets, count);
        if (ended || isFull(targets, count)) {
            return taken == 0 && ended ? -1 : taken;
        }
        ByteBuffer working = records.begin(false);
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
                } else if (come < 0 && taken == 0) {
                    // If this call had taken bytes, the next read would report the end.
                    throw new ConnectionClosed(CloseCause.TRUNCATED);
                }
            }
        } catch (SSLException e) {
            throw failed(TlsFailure.of(e, CloseCause.TLS_FAILED));
        } finally {
            if (ended) {
                // Bytes after the close_notify are ignored.
                working.position(working.limit());
            }
            records.end(working);
        }
        return taken == 0 && ended ? -1 : taken;
    }

    /** Whether a read can return bytes or the end of the stream without new bytes from the socket. */
    boolean hasMore() {
        return kept != null || ended || records.hasRecord();
    }

    /** Whether a read has caused a message of the engine since the last call of {@link #takeMessage}. */
    boolean hasMessage() {
        return engineMessage;
    }

    /**
     * Returns the result of {@link #hasMessage}, which then becomes false. If the result is true, the caller must make sure that the message
     * is sent.
     */
    boolean takeMessage() {
        boolean found = engineMessage;
        engineMessage = false;
        return found;
    }

    /** Whether the client has ended its stream. */
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
                        // The record has not arrived completely.
                        return taken;
                    }
                }
            }
        }
        return taken;
    }

    /**
     * Refuses records of a second handshake: records of the types handshake and change_cipher_spec. The method checks the type in the head
     * of each record. In TLS 1.2 this type is the real type. In TLS 1.3 no allowed record after the handshake has one of these two types.
     * The engine itself does not refuse these records properly. In TLS 1.2 it sends only close_notify, which some clients regard as
     * success. In TLS 1.3 it ignores a change_cipher_spec record at any time, although the standard requires a refusal (RFC 8446 section
     * 5).
     */
    private void refuseHandshake(ByteBuffer working) throws ConnectionClosed {
        if (working.hasRemaining()) {
            byte type = working.get(working.position());
            if (type == IncomingRecords.HANDSHAKE || type == IncomingRecords.CHANGE_CIPHER_SPEC) {
                throw failed(new ConnectionClosed(CloseCause.TLS_FAILED, SECOND_HANDSHAKE));
            }
        }
    }

    /** Decrypts a record whose content is possibly too large for the targets. */
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

    /** Checks the result of the engine, because the record can be a message of the TLS protocol itself. */
    private void look(SSLEngineResult result) throws IOException {
        HandshakeStatus status = result.getHandshakeStatus();
        // In TLS 1.3 the JDK does not check the length.
        if (result.bytesProduced() > TlsBuffers.CONTENT) {
            throw failed(new ConnectionClosed(CloseCause.TLS_FAILED, "record too long"));
        }
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            ended = true;
        }
        if (status == HandshakeStatus.NEED_WRAP) {
            writer.markMessages();
            engineMessage = true;
        } else if (status == HandshakeStatus.NEED_TASK) {
            throw failed(new ConnectionClosed(CloseCause.TLS_FAILED, SECOND_HANDSHAKE));
        }
        if (withoutBytes > 0 && result.bytesProduced() > 0 && !isTls13()) {
            withoutBytes = 0;
        } else if (!ended && result.bytesProduced() == 0 && result.bytesConsumed() > 0) {
            withoutBytes++;
            unanswered += writer.mayHaveMessages() ? 1 : 0;
            if (Math.max(withoutBytes, unanswered) > MAX_WITHOUT_BYTES) {
                throw failed(new ConnectionClosed(CloseCause.TLS_FAILED, "too many records without data"));
            }
            if (result.bytesConsumed() > KEY_UPDATE && isTls13()) {
                throw failed(new ConnectionClosed(CloseCause.TLS_FAILED, "a record with more than a key update"));
            }
        }
    }

    private boolean isTls13() {
        return engine.getSession().getProtocol().equals(TLS_1_3);
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

    /** Called when the connection has been closed. */
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
