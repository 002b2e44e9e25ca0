package io.penstock.reactor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.CloseCause;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A link for tests that sends and receives over the link of a socket. It behaves like TLS, but without real encryption. All bytes are
 * sent in records. A record has a type, a length of two bytes, and the content. Each byte of the content is XORed with {@link #MASK}.
 *
 * <ul>
 * <li>A record is read only when it is complete. So this link can hold unread content while the socket has no bytes.
 * <li>If the socket does not accept a record completely, this link holds the remaining bytes of the record.
 * <li>The handler of the protocol is made when the client has sent a hello record. This record can name a protocol. The link itself answers
 * hello records and ping records, and sends the end record.
 * </ul>
 *
 * <p>The reactor (a selector thread) calls most methods. The thread that holds the connection's {@link WriteToken} calls {@link #write},
 * {@link #transferFrom} and {@link #flush}. The link owns the segments (buffers) that it holds. An idle link holds no segments.
 */
public final class RecordLink implements Link, LinkHandler {
    public static final byte HELLO = 'h';
    public static final byte DATA = 'd';
    public static final byte PING = 'p';
    public static final byte PONG = 'o';
    public static final byte END = 'e';
    public static final int HEAD = 3;
    public static final byte MASK = 0x5A;

    /** The TLS session that all links of this class report. */
    public static final TlsSession SESSION = new TlsSession("RECORDSv1", "MASK_WITH_5A", 8, "0a1b2c", List.of());

    private final Link socket;
    private final SegmentPool pool;

    // This is the handler of the handshake (opening) until the client's hello record has arrived. From then on, it is
    // the handler of the protocol.
    private LinkHandler conversation;
    private LinkLayer.Opening opening;

    // The unread bytes are between the position and the limit of this segment's buffer.
    private Segment received;
    // The number of unread bytes of the current record.
    private int unreadInRecord;
    private boolean inputEnded;
    private boolean wantsReadable = true;

    /** Hello, pong and end records that must be sent. The reactor adds these records. */
    private final Queue<byte[]> controlRecords = new ConcurrentLinkedQueue<>();

    private volatile boolean helloReceived;

    @GuardedBy("this")
    private Segment held;

    @GuardedBy("this")
    private boolean closed;

    // Written only in synchronized methods.
    private volatile boolean holds;

    private enum Output {
        OPEN,
        ENDING,
        ENDED
    }

    // The reactor sets this field to ENDING. The thread that holds the write token sets it to ENDED.
    private volatile Output output = Output.OPEN;

    private RecordLink(Link socket, SegmentPool pool) {
        this.socket = socket;
        this.pool = pool;
    }

    /** @param pool the pool for the buffers of records */
    public static LinkLayer layer(SegmentPool pool) {
        return (socket, opening) -> {
            RecordLink link = new RecordLink(socket, pool);
            link.opening = opening;
            link.conversation = opening;
            return link;
        };
    }

    // ---- events of the socket

    @Override
    public LinkHandler conversation() {
        return conversation.conversation();
    }

    @Override
    public void onReadable() throws IOException {
        if (!helloReceived) {
            awaitHello();
            if (!helloReceived) {
                return;
            }
        }
        if (wantsReadable) {
            conversation.onReadable();
        }
        if (socket.isOpen() && !controlRecords.isEmpty()) {
            // The handler takes the write token and flushes. If another thread has the token, that thread flushes.
            conversation.onWritable();
        }
    }

    private void awaitHello() throws IOException {
        fill();
        nextRecord();
        releaseRead();
        if (inputEnded && !helloReceived) {
            throw new ConnectionClosed(CloseCause.CLIENT_CLOSED, "before hello");
        }
    }

    /** Answers the hello record of the client. If the client names a protocol, the server must support this protocol. */
    private void acceptHello(String protocol) throws IOException {
        if (!protocol.isEmpty() && !opening.protocols().contains(protocol)) {
            throw new ConnectionClosed(CloseCause.HANDSHAKE_FAILED, "no protocol in common");
        }
        controlRecords.add(record(HELLO, protocol.getBytes(StandardCharsets.ISO_8859_1)));
        conversation = opening.agreed(this, protocol.isEmpty() ? null : protocol);
        helloReceived = true;
    }

    @Override
    public void onWritable() throws IOException {
        conversation.onWritable();
    }

    @Override
    public void onSignals(int bits) throws IOException {
        conversation.onSignals(bits);
    }

    @Override
    public void onClosed(ConnectionClosed cause) {
        synchronized (this) {
            closed = true;
            controlRecords.clear();
            releaseHeld();
        }
        if (received != null) {
            received.release();
            received = null;
        }
        conversation.onClosed(cause);
    }

    // ---- input

    @Override
    public int read(ByteBuffer target) throws IOException {
        int begin = target.position();
        boolean mayFill = true;
        while (target.hasRemaining()) {
            if (unreadInRecord > 0) {
                copy(target);
            } else if (!nextRecord()) {
                if (!mayFill || !fill()) {
                    break;
                }
                mayFill = false;
            }
        }
        releaseRead();
        if ((wantsReadable && hasMore()) || !controlRecords.isEmpty()) {
            socket.readAgain();
        }
        int count = target.position() - begin;
        return count == 0 && inputEnded ? -1 : count;
    }

    private void releaseRead() {
        if (received != null && !received.buffer().hasRemaining()) {
            received.release();
            received = null;
        }
    }

    private void copy(ByteBuffer target) {
        ByteBuffer source = received.buffer();
        for (int count = Math.min(unreadInRecord, target.remaining()); count > 0; count--) {
            target.put((byte) (source.get() ^ MASK));
            unreadInRecord--;
        }
    }

    /** Begins to read the next record if the record is complete. */
    private boolean nextRecord() throws IOException {
        if (inputEnded || !hasRecord()) {
            return false;
        }
        ByteBuffer source = received.buffer();
        byte type = source.get();
        int length = source.getShort();
        if (helloReceived == (type == HELLO)) {
            throw helloReceived
                    ? new IOException("a second hello record")
                    : new ConnectionClosed(CloseCause.HANDSHAKE_FAILED, "no hello");
        }
        switch (type) {
            case DATA -> unreadInRecord = length;
            case HELLO -> acceptHello(new String(content(source, length), StandardCharsets.ISO_8859_1));
            case PING -> controlRecords.add(record(PONG, content(source, length)));
            case END -> endInput();
            default -> throw new IOException("unknown type of record");
        }
        return true;
    }

    private static byte[] content(ByteBuffer source, int length) {
        byte[] content = new byte[length];
        source.get(content);
        return content;
    }

    private boolean hasRecord() {
        if (received == null) {
            return false;
        }
        ByteBuffer source = received.buffer();
        return source.remaining() >= HEAD && source.remaining() >= HEAD + source.getShort(source.position() + 1);
    }

    private boolean hasMore() {
        return unreadInRecord > 0 || hasRecord() || inputEnded;
    }

    private boolean fill() throws IOException {
        if (inputEnded) {
            return false;
        }
        if (received == null) {
            received = pool.acquireForOutput();
            received.buffer().limit(0);
        }
        ByteBuffer buffer = received.buffer().compact();
        int count = 0;
        try {
            count = socket.read(buffer);
        } finally {
            buffer.flip();
        }
        if (count < 0) {
            endInput();
        }
        return count > 0;
    }

    private void endInput() {
        inputEnded = true;
        socket.wantReadable(false);
    }

    @Override
    public void wantReadable(boolean wanted) {
        wantsReadable = wanted;
        socket.wantReadable(wanted && !inputEnded);
        if (wanted && hasMore()) {
            socket.readAgain();
        }
    }

    @Override
    public void readAgain() {
        socket.readAgain();
    }

    // ---- output

    @Override
    public synchronized long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long count = 0;
        while (helloReceived && send()) {
            int taken = hold(sources, offset, length);
            if (taken == 0) {
                break;
            }
            count += taken;
        }
        return count;
    }

    private synchronized int hold(ByteBuffer[] sources, int offset, int length) {
        if (Arrays.stream(sources, offset, offset + length).noneMatch(ByteBuffer::hasRemaining)) {
            return 0;
        }
        Segment segment = pool.acquireForOutput();
        ByteBuffer record = segment.buffer();
        record.position(HEAD);
        for (int i = offset; i < offset + length; i++) {
            while (sources[i].hasRemaining() && record.hasRemaining()) {
                record.put(sources[i].get());
            }
        }
        return hold(segment);
    }

    @Override
    public synchronized long transferFrom(FileChannel file, long position, long count) throws IOException {
        long taken = 0;
        while (taken < count && helloReceived && send()) {
            Segment segment = pool.acquireForOutput();
            ByteBuffer record = segment.buffer();
            record.position(HEAD).limit((int) Math.min(record.capacity(), HEAD + count - taken));
            boolean read = false;
            try {
                read = file.read(record, position + taken) > 0;
            } finally {
                if (!read) {
                    segment.release();
                }
            }
            if (!read) {
                break;
            }
            taken += hold(segment);
        }
        return taken;
    }

    /** Makes a data record in the segment. The content is already in the segment's buffer, before the buffer's position. */
    private synchronized int hold(Segment segment) {
        ByteBuffer record = segment.buffer();
        int length = record.position() - HEAD;
        for (int i = HEAD; i < record.position(); i++) {
            record.put(i, (byte) (record.get(i) ^ MASK));
        }
        record.flip();
        record.put(0, DATA).putShort(1, (short) length);
        held = segment;
        holds = true;
        return length;
    }

    @Override
    public synchronized boolean flush() throws IOException {
        return send();
    }

    @Override
    public boolean isFlushed() {
        return !holds && controlRecords.isEmpty();
    }

    /** Sends the held bytes and the {@link #controlRecords}. Returns whether all bytes have been sent. */
    private synchronized boolean send() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        do {
            if (held != null) {
                socket.write(new ByteBuffer[] {held.buffer()}, 0, 1);
                if (held.buffer().hasRemaining()) {
                    return false;
                }
                releaseHeld();
            }
        } while (holdControlRecord());
        if (output == Output.ENDING) {
            output = Output.ENDED;
            socket.shutdownOutput();
        }
        return true;
    }

    private synchronized boolean holdControlRecord() {
        if (controlRecords.isEmpty()) {
            return false;
        }
        // Set before the record is removed from controlRecords, so isFlushed() never returns true in between.
        holds = true;
        held = pool.acquireForOutput();
        held.buffer().put(controlRecords.remove()).flip();
        return true;
    }

    private synchronized void releaseHeld() {
        if (held != null) {
            held.release();
            held = null;
        }
        holds = false;
    }

    @Override
    public void wantWritable(boolean wanted) {
        socket.wantWritable(wanted && helloReceived);
    }

    @Override
    public boolean endOutput() {
        return false;
    }

    @Override
    public void shutdownOutput() {
        if (output == Output.OPEN) {
            controlRecords.add(record(END, new byte[0]));
            output = Output.ENDING;
        }
    }

    // ---- close

    /**
     * Closes the socket without an end record. A TLS link behaves in the same way if the socket is full. So a handler must not rely on an
     * end record when its link closes.
     */
    @Override
    public void close(ConnectionClosed cause) {
        socket.close(cause);
    }

    @Override
    public void reset(ConnectionClosed cause) {
        socket.reset(cause);
    }

    private static byte[] record(byte type, byte[] content) {
        return ByteBuffer.allocate(HEAD + content.length)
                .put(type)
                .putShort((short) content.length)
                .put(content)
                .array();
    }

    // ---- calls that are passed to the socket

    @Override
    public void contain(Part part) {
        socket.contain(part);
    }

    @Override
    public void signal(int bit) {
        socket.signal(bit);
    }

    @Override
    public void signalLater(int bit) {
        socket.signalLater(bit);
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public SocketAddress remote() {
        return socket.remote();
    }

    @Override
    public SocketAddress local() {
        return socket.local();
    }

    @Override
    public TlsSession tls() {
        return SESSION;
    }

    @Override
    public Reactor reactor() {
        return socket.reactor();
    }
}
