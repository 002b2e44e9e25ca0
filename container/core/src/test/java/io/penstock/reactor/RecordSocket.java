package io.penstock.reactor;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The client's end of a {@link RecordLink}. It says hello at once. */
public final class RecordSocket {
    /** Several fit into what the server reads at once. */
    private static final int MOST = 700;

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

    /** @param protocol that the client wants; empty for none in particular */
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

    /** From here on each byte is a write of its own. */
    public void trickle() {
        trickles = true;
    }

    /** One record is written at a time, whichever thread does. */
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

    /** What the server has answered to pings, as far as it was read. */
    public String pongs() {
        return pongs.toString();
    }

    /** Says the end. */
    public void end() throws IOException {
        send(RecordLink.END, "");
    }

    /** The protocol that the server has answered to hello, as far as that was read; empty for none in particular. */
    public String agreed() {
        return agreed;
    }

    /** Whether the server has said the end, as far as it was read. */
    public boolean hasEnded() {
        return ended;
    }

    private void send(byte type, String content) throws IOException {
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        head(record, type, content.length());
        record.writeBytes(content.getBytes(StandardCharsets.ISO_8859_1));
        write(record.toByteArray());
    }

    /** In one write, so that several arrive together. */
    private void writeRecords(byte[] bytes, int offset, int length) throws IOException {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int done = 0; done < length; ) {
            int count = Math.min(MOST, length - done);
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
                default -> throw new IOException("no such record: " + type);
            }
        }
    }
}
