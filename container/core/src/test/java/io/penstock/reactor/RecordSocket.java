package io.penstock.reactor;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The client's side of a {@link RecordLink}. The constructor sends the hello record. */
public final class RecordSocket {
    /** The maximum number of bytes in a data record. The server can read several such records in one read. */
    private static final int MAX = 700;

    private final OutputStream socketOut;
    private final InputStream in;
    private final OutputStream out;
    private final StringBuffer pongs = new StringBuffer();
    private volatile String agreed;
    private volatile boolean ended;
    private boolean trickles;

    public RecordSocket(Socket socket) throws IOException {
        this(socket, "");
    }

    /** @param protocol the protocol that the client requests; empty if the client requests no protocol */
    public RecordSocket(Socket socket, String protocol) throws IOException {
        socketOut = socket.getOutputStream();
        in = new Records(new DataInputStream(socket.getInputStream()));
        out = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b});
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                writeRecords(bytes, offset, length);
            }
        };
        send(RecordLink.HELLO, protocol);
    }

    public InputStream in() {
        return in;
    }

    public OutputStream out() {
        return out;
    }

    /** After this call, the client sends each byte in a separate write. */
    public void trickle() {
        trickles = true;
    }

    /** Writes records to the socket. Only one thread at a time can write. */
    private synchronized void write(byte[] records) throws IOException {
        if (!trickles) {
            socketOut.write(records);
            return;
        }
        for (byte b : records) {
            socketOut.write(b);
        }
    }

    public void ping(String word) throws IOException {
        send(RecordLink.PING, word);
    }

    /** The contents of all pong records that have been read so far. */
    public String pongs() {
        return pongs.toString();
    }

    /** Sends the end record. */
    public void end() throws IOException {
        send(RecordLink.END, "");
    }

    /**
     * The protocol in the hello record of the server; empty if this record names no protocol. Null if the record has not been read yet.
     */
    public String agreed() {
        return agreed;
    }

    /** Whether the end record of the server has been read. */
    public boolean hasEnded() {
        return ended;
    }

    private void send(byte type, String content) throws IOException {
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        head(record, type, content.length());
        record.writeBytes(content.getBytes(StandardCharsets.ISO_8859_1));
        write(record.toByteArray());
    }

    /** Writes all records in one write, so that several records arrive together. */
    private void writeRecords(byte[] bytes, int offset, int length) throws IOException {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int done = 0; done < length; ) {
            int count = Math.min(MAX, length - done);
            head(records, RecordLink.DATA, count);
            for (int i = 0; i < count; i++) {
                records.write(bytes[offset + done + i] ^ RecordLink.MASK);
            }
            done += count;
        }
        write(records.toByteArray());
    }

    private static void head(ByteArrayOutputStream record, byte type, int length) {
        record.write(type);
        record.write(length >> 8);
        record.write(length);
    }

    private final class Records extends InputStream {
        private final DataInputStream socketIn;
        private int left;

        Records(DataInputStream socketIn) {
            this.socketIn = socketIn;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            while (left == 0) {
                int type = ended ? -1 : socketIn.read();
                if (type < 0) {
                    return -1;
                }
                begin((byte) type, socketIn.readUnsignedShort());
            }
            int count = socketIn.read(bytes, offset, Math.min(left, length));
            for (int i = offset; i < offset + count; i++) {
                bytes[i] ^= RecordLink.MASK;
            }
            left -= Math.max(0, count);
            return count;
        }

        private void begin(byte type, int length) throws IOException {
            switch (type) {
                case RecordLink.DATA -> left = length;
                case RecordLink.PONG ->
                    pongs.append(new String(socketIn.readNBytes(length), StandardCharsets.ISO_8859_1));
                case RecordLink.END -> ended = true;
                case RecordLink.HELLO -> agreed = new String(socketIn.readNBytes(length), StandardCharsets.ISO_8859_1);
                default -> throw new IOException("unknown type of record: " + type);
            }
        }
    }
}
