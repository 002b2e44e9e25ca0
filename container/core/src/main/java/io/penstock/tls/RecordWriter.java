package io.penstock.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.CloseCause;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The writing half of a TLS connection: it encrypts bytes, and sends the records. It takes no more bytes before all records have been sent,
 * so at most one socket write is kept. The engine may have <em>messages</em> of its own, which are sent first: parts of a handshake,
 * alerts, key updates.
 *
 * <p>Thread: the reactor until the conversation begins; then the holder of the connection's write token. The reactor also calls {@link
 * #owe}, {@link #endOutput}, {@link #lastWord} and {@link #release} without the token. So a monitor guards all state. Threads hold the
 * monitor only for moments, since nothing here waits. {@link #isFlushed}: any. Owns the records that it keeps.
 */
final class RecordWriter {
    private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};

    private final Link socket;
    private final SSLEngine engine;
    private final TlsBuffers buffers;

    @GuardedBy("this")
    private @Nullable ByteBuffer kept;

    @GuardedBy("this")
    private Output output = Output.OPEN;

    // Whether the last transfer from a file took all bytes. Used by the holder of the write token, and by the reactor
    // after that holder.
    private boolean tookAll;

    // Whether records are kept; written under the monitor.
    private volatile boolean keeps;

    // Whether the engine may have messages. Cleared before the engine is asked for them, so none is missed.
    private volatile boolean mayHaveMessages;

    private enum Output {
        OPEN,
        /** close_notify is to be sent, and then the end of the socket's output. */
        ENDING,
        ENDED,
        CLOSED
    }

    RecordWriter(Link socket, SSLEngine engine, TlsBuffers buffers) {
        this.socket = socket;
        this.engine = engine;
        this.buffers = buffers;
    }

    /** See {@link Link#write}. */
    synchronized long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long taken = 0;
        while (hasRemaining(sources, offset, length) && sendAll()) {
            taken += seal(sources, offset, length);
            if (kept != null) {
                break; // the socket is full
            }
        }
        return taken;
    }

    /** See {@link Link#transferFrom}. The file is read without the monitor, since a disk may be slow. */
    long transferFrom(FileChannel file, long position, long count) throws IOException {
        ByteBuffer[] content = {buffers.borrow()};
        try {
            long taken = 0;
            long part = 1;
            while (part > 0 && taken < count && flush()) {
                part = read(file, position + taken, count - taken, content[0]) ? write(content, 0, 1) : 0;
                taken += part;
            }
            tookAll = taken == count;
            return taken;
        } finally {
            buffers.giveBack(content[0]);
        }
    }

    /** See {@link Link#keepsUp}. */
    boolean keepsUp() {
        return tookAll && isFlushed();
    }

    /** Reads as many bytes as one write takes; returns whether there were any. */
    private boolean read(FileChannel file, long position, long count, ByteBuffer content) throws IOException {
        content.clear().limit((int) Math.min(count, buffers.mostAtOnce()));
        int come = file.read(content, position);
        content.flip();
        return come > 0;
    }

    /** See {@link Link#flush}. */
    synchronized boolean flush() throws IOException {
        return sendAll();
    }

    boolean isFlushed() {
        return !keeps && !mayHaveMessages;
    }

    /** Whether the engine has messages that no thread has asked for yet. */
    boolean owes() {
        return mayHaveMessages;
    }

    /** The engine may have messages. The next {@link #flush} sends them. */
    void owe() {
        mayHaveMessages = true;
    }

    /** See {@link Link#shutdownOutput}. */
    synchronized void endOutput() {
        if (output == Output.OPEN) {
            output = Output.ENDING;
            engine.closeOutbound();
            mayHaveMessages = true;
        }
    }

    /**
     * TLS has failed: sends the engine's alert, if the socket takes it at once. The engine has no alert for failures that it does not see,
     * and for some that it sees, such as a hello that it cannot decode. For these failures, the engine gets a record that it refuses with
     * {@code unexpected_message}. Without a fatal alert, the client would take the close for an orderly end (RFC 8446 section 6).
     *
     * @param cause gets the exception if the alert cannot be sent
     */
    synchronized void fatalAlert(ConnectionClosed cause) {
        boolean refused = false; // whether a task has refused a message
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run(); // quick: its message is not allowed now, so the engine refuses it without long calculations
            refused = true;
        }
        if (output == Output.OPEN && (refused || engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP)) {
            try {
                engine.unwrap(IncomingRecords.tooLong(), NOTHING[0].duplicate());
            } catch (SSLException expected) {
                // This is the exception of the task, or the engine has refused the record and has an alert now.
            }
        }
        lastWord(cause);
    }

    /**
     * The connection closes, orderly or because of a failure: sends close_notify, or the alert that the engine has, if the socket takes it
     * at once.
     *
     * @param cause gets the exception if nothing can be sent
     */
    synchronized void lastWord(ConnectionClosed cause) {
        if (output == Output.CLOSED || kept != null) {
            return;
        }
        try {
            engine.closeOutbound(); // has no effect if there is an alert
            sendMessages();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** The connection has closed. */
    synchronized void release() {
        output = Output.CLOSED;
        releaseKept();
    }

    @GuardedBy("this")
    private void releaseKept() {
        ByteBuffer known = kept;
        if (known != null) {
            kept = null;
            buffers.release(known);
        }
        keeps = false;
    }

    /** Sends the kept records, and the engine's messages. Returns whether nothing is left. */
    @GuardedBy("this")
    private boolean sendAll() throws IOException {
        if (output == Output.CLOSED) {
            throw new ClosedChannelException();
        }
        if (!sendKept()) {
            return false;
        }
        while (mayHaveMessages) {
            mayHaveMessages = false;
            sendMessages();
            if (kept != null) {
                return false;
            }
        }
        if (output == Output.ENDING) {
            output = Output.ENDED;
            socket.shutdownOutput();
        }
        return true;
    }

    @GuardedBy("this")
    private boolean sendKept() throws IOException {
        ByteBuffer known = kept;
        if (known != null) {
            send(known);
            if (known.hasRemaining()) {
                return false;
            }
            releaseKept();
        }
        return true;
    }

    private void send(ByteBuffer records) throws IOException {
        socket.write(new ByteBuffer[] {records}, 0, 1);
    }

    @GuardedBy("this")
    private void sendMessages() throws IOException {
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            seal(NOTHING, 0, 1);
        }
    }

    /**
     * Encrypts the bytes of one write, sends the records, and keeps what the socket does not take. Returns how many bytes it has encrypted.
     */
    @GuardedBy("this")
    private long seal(ByteBuffer[] sources, int offset, int length) throws IOException {
        ByteBuffer records = buffers.borrow();
        try {
            long taken = encrypt(sources, offset, length, records, buffers.mostAtOnce());
            send(records.flip());
            if (records.hasRemaining()) {
                keeps = true;
                kept = buffers.keep(records);
            }
            return taken;
        } finally {
            buffers.giveBack(records);
        }
    }

    /** Encrypts about this many bytes at most, and the engine's messages. Returns how many bytes. */
    private long encrypt(ByteBuffer[] sources, int offset, int length, ByteBuffer records, int most)
            throws IOException {
        long taken = 0;
        while (true) {
            SSLEngineResult result = wrap(sources, offset, length, records, most);
            taken += result.bytesConsumed();
            boolean more = hasRemaining(sources, offset, length);
            boolean moreMessages = result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
            if (result.getStatus() == Status.BUFFER_OVERFLOW || (taken >= most && more)) {
                mayHaveMessages |= moreMessages; // they are sent with the next write
                return taken;
            }
            if (result.bytesProduced() == 0) {
                if (more && result.getStatus() == Status.CLOSED) {
                    throw new ConnectionClosed(CloseCause.CLIENT_RESET, "TLS has ended in both directions");
                }
                return taken;
            }
            if (!more && !moreMessages) {
                return taken;
            }
        }
    }

    /** Makes one record, which is small if few bytes are wanted. */
    private SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer records, int most)
            throws IOException {
        if (most >= TlsBuffers.CONTENT) {
            return engine.wrap(sources, offset, length, records);
        }
        int at = offset;
        while (at < offset + length - 1 && !sources[at].hasRemaining()) {
            at++;
        }
        ByteBuffer first = sources[at];
        int end = first.limit();
        first.limit(Math.min(end, first.position() + most));
        try {
            return engine.wrap(first, records);
        } finally {
            first.limit(end);
        }
    }

    private static boolean hasRemaining(ByteBuffer[] sources, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (sources[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }
}
