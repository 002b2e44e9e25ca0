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
 * The writing half of a TLS connection. The writer encrypts bytes and sends the records. It takes no more bytes until all records have been
 * sent. So it keeps the unsent records of at most one write. The engine can have <em>messages</em> of its own: parts of a handshake,
 * alerts, key updates. These messages are sent first.
 *
 * <p>Thread: during the handshake the reactor, after that the holder of the connection's write token. The reactor also calls {@link #markMessages},
 * {@link #endOutput}, {@link #sendFinalAlert} and {@link #release} without the token. So the monitor of this object guards its state. No method
 * blocks, so threads hold the monitor only for a short time. Any thread may call {@link #isFlushed}. The writer owns the records that it
 * keeps.
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

    // Whether the last transfer from a file took all bytes. Only the holder of the write token uses this field.
    private boolean tookAll;

    // Whether this writer keeps unsent records. This field is written under the monitor.
    private volatile boolean keeps;

    // Whether the engine possibly has messages. The field is set to false before the messages are fetched from the
    // engine, so no message is missed.
    private volatile boolean mayHaveMessages;

    private enum Output {
        OPEN,
        /** The writer must send close_notify, and then close the output of the socket. */
        ENDING,
        ENDED,
        CLOSED
    }

    RecordWriter(Link socket, SSLEngine engine, TlsBuffers buffers) {
        this.socket = socket;
        this.engine = engine;
        this.buffers = buffers;
    }

    /** Implements {@link Link#write}. */
    synchronized long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long taken = 0;
        while (hasRemaining(sources, offset, length) && sendAll()) {
            taken += seal(sources, offset, length);
            if (kept != null) {
                // The socket is full.
                break;
            }
        }
        return taken;
    }

    /** Implements {@link Link#transferFrom}. The thread does not hold the monitor while it reads the file, because the disk can be slow. */
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

    /** Implements {@link Link#keepsUp}. */
    boolean keepsUp() {
        return tookAll && isFlushed();
    }

    /** Reads bytes of the file for one write. Returns whether at least one byte was read. */
    private boolean read(FileChannel file, long position, long count, ByteBuffer content) throws IOException {
        content.clear().limit((int) Math.min(count, buffers.mostAtOnce()));
        int come = file.read(content, position);
        content.flip();
        return come > 0;
    }

    /** Implements {@link Link#flush}. */
    synchronized boolean flush() throws IOException {
        return sendAll();
    }

    boolean isFlushed() {
        return !keeps && !mayHaveMessages;
    }

    /** Whether the engine possibly has messages that no thread has fetched yet. */
    boolean mayHaveMessages() {
        return mayHaveMessages;
    }

    /** Notes that the engine possibly has messages. The next {@link #flush} sends these messages. */
    void markMessages() {
        mayHaveMessages = true;
    }

    /** Implements {@link Link#shutdownOutput}. */
    synchronized void endOutput() {
        if (output == Output.OPEN) {
            output = Output.ENDING;
            engine.closeOutbound();
            mayHaveMessages = true;
        }
    }

    /**
     * Sends a fatal alert after a failure of TLS, if the socket takes the alert at once. The engine has no alert for failures that other
     * code detects, and for some failures of its own, such as a ClientHello that it cannot decode. For these failures this method passes an
     * invalid record to the engine, and the engine then makes an alert. Without a fatal alert, the client would regard the close as an
     * orderly end (RFC 8446 section 6).
     *
     * @param cause the cause of the close. An exception of the send is added to this cause
     */
    synchronized void fatalAlert(ConnectionClosed cause) {
        boolean refused = false; // whether the engine had tasks, which then fail
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            // The task ends soon. Its message is not allowed now, so the engine refuses the message without long
            // calculations.
            task.run();
            refused = true;
        }
        if (output == Output.OPEN && (refused || engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP)) {
            try {
                engine.unwrap(IncomingRecords.tooLong(), NOTHING[0].duplicate());
            } catch (SSLException expected) {
                // The exception comes from the task, or from the invalid record. In both cases the engine now has an
                // alert.
            }
        }
        sendFinalAlert(cause);
    }

    /**
     * Sends the last message before the connection is closed, if the socket takes the message at once. The message is the alert of the
     * engine if TLS has failed, and otherwise close_notify.
     *
     * @param cause the cause of the close. An exception of the send is added to this cause
     */
    synchronized void sendFinalAlert(ConnectionClosed cause) {
        if (output == Output.CLOSED || kept != null) {
            return;
        }
        try {
            // This call has no effect if the engine has an alert.
            engine.closeOutbound();
            sendMessages();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Called when the connection has been closed. */
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

    /** Sends the kept records, then the messages of the engine. Returns whether all records and messages have been sent. */
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
     * Encrypts the bytes of one write and sends the records. Keeps the bytes of the records that the socket does not take. Returns the
     * number of encrypted bytes.
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

    /**
     * Encrypts bytes of the sources, at most about {@code most} bytes, and the messages of the engine. Returns the number of encrypted
     * bytes.
     */
    private long encrypt(ByteBuffer[] sources, int offset, int length, ByteBuffer records, int most)
            throws IOException {
        long taken = 0;
        while (true) {
            SSLEngineResult result = wrap(sources, offset, length, records, most);
            taken += result.bytesConsumed();
            boolean more = hasRemaining(sources, offset, length);
            boolean moreMessages = result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
            if (result.getStatus() == Status.BUFFER_OVERFLOW || (taken >= most && more)) {
                // The next write sends the remaining messages.
                mayHaveMessages |= moreMessages;
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

    /**
     * Makes one record. If {@code most} is less than {@link TlsBuffers#CONTENT}, the record contains at most {@code most} bytes of the
     * sources.
     */
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
