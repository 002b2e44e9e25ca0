package io.penstock.http2;

import static io.penstock.PromptWaits.PATIENCE;

import io.penstock.certificates.AnyCertificate;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * A client that sends and reads single frames. It has no rules of its own, so that tests can break all of them. It enlarges no window unless
 * a test says so.
 */
final class Http2Client implements AutoCloseable {
    private final Closeable connection;
    private final DataInputStream in;
    private final OutputStream out;
    private final HpackReader hpack = new HpackReader();
    private int next = 1;

    /** A frame of the server. */
    record Received(int type, int flags, int stream, byte[] payload) {

        boolean endsStream() {
            return (type == Frame.DATA || type == Frame.HEADERS) && (flags & Frame.END_STREAM) != 0;
        }

        /** The code of a RST_STREAM or GOAWAY. */
        ErrorCode code() {
            int at = type == Frame.GOAWAY ? 4 : 0;
            return ErrorCode.values()[ByteBuffer.wrap(payload).getInt(at)];
        }

        int number() {
            return ByteBuffer.wrap(payload).getInt(0);
        }
    }

    /** What the server has sent on one stream, up to its end or its reset. */
    static final class Answer {
        final List<Map<String, String>> heads = new ArrayList<>();
        final ByteArrayOutputStream body = new ByteArrayOutputStream();
        ErrorCode reset;
        boolean ended;

        int status() {
            return Integer.parseInt(heads.get(0).get(":status"));
        }

        String text() {
            return body.toString(StandardCharsets.UTF_8);
        }

        String field(String name) {
            return heads.get(0).get(name);
        }

        Map<String, String> trailers() {
            return heads.get(heads.size() - 1);
        }
    }

    private final Map<Integer, Answer> answers = new TreeMap<>();
    private final BitSet forgotten = new BitSet();
    private final List<Received> others = new ArrayList<>();

    private Http2Client(Socket socket) throws IOException {
        this(socket, socket.getInputStream(), socket.getOutputStream());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.setTcpNoDelay(true);
    }

    private Http2Client(Closeable connection, InputStream in, OutputStream out) {
        this.connection = connection;
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = out;
    }

    /** Connects without TLS, and sends the preface and SETTINGS. */
    static Http2Client connect(int port, int... settings) throws IOException {
        return raw(port).begin(settings);
    }

    /** Connects to a Unix domain socket, and sends the preface and SETTINGS. */
    static Http2Client connect(Path file) throws IOException {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(file));
        return new Http2Client(channel, Channels.newInputStream(channel), Channels.newOutputStream(channel)).begin();
    }

    /** Sends the preface and SETTINGS, and acknowledges those of the server, which are on their way. */
    Http2Client begin(int... settings) throws IOException {
        send(Frame.PREFACE);
        send(Frame.settings(settings));
        send(Frame.settingsAck());
        return this;
    }

    /** As {@link #connect}, but the client does not acknowledge the server's SETTINGS. */
    static Http2Client unacknowledged(int port) throws IOException {
        Http2Client client = raw(port);
        client.send(Frame.PREFACE);
        client.send(Frame.settings());
        return client;
    }

    /** As {@link #connect}, with a small buffer: what the test does not read stays in the server. */
    static Http2Client slow(int port, int... settings) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new Http2Client(socket).begin(settings);
    }

    /** As {@link #connect}, over TLS. */
    static Http2Client overTls(int port, int... settings) throws IOException, GeneralSecurityException {
        return overTls(port, List.of(), settings);
    }

    /** @param name the host that the client names in its handshake */
    static Http2Client overTls(int port, String name) throws IOException, GeneralSecurityException {
        return overTls(port, List.of(new SNIHostName(name)));
    }

    private static Http2Client overTls(int port, List<SNIServerName> names, int... settings)
            throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        parameters.setServerNames(names);
        socket.setSSLParameters(parameters);
        return new Http2Client(socket).begin(settings);
    }

    static Http2Client raw(int port) throws IOException {
        return new Http2Client(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    // ---- sending

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(Frame.HEADER + payload.length);
        send(Frame.header(frame, payload.length, type, flags, stream)
                .put(payload)
                .array());
    }

    /** Sends a GET. Returns the number of its stream. */
    int get(String path, String... fields) throws IOException {
        return request("GET", path, true, fields);
    }

    /** Begins a POST, whose body follows. */
    int post(String path, String... fields) throws IOException {
        return request("POST", path, false, fields);
    }

    int request(String method, String path, boolean ends, String... fields) throws IOException {
        int stream = nextStream();
        frame(Frame.HEADERS, Frame.END_HEADERS | (ends ? Frame.END_STREAM : 0), stream, head(method, path, fields));
        return stream;
    }

    int nextStream() {
        int stream = next;
        next += 2;
        return stream;
    }

    static byte[] head(String method, String path, String... fields) {
        List<String> all = new ArrayList<>(
                List.of(":method", method, ":scheme", "http", ":authority", "localhost", ":path", path));
        all.addAll(List.of(fields));
        return block(all.toArray(String[]::new));
    }

    /** @param fields names and values in turn */
    static byte[] block(String... fields) {
        int most = 0;
        for (int i = 0; i < fields.length; i += 2) {
            most += HpackEncoder.maxField(fields[i], fields[i + 1]);
        }
        byte[] block = new byte[most];
        int end = 0;
        for (int i = 0; i < fields.length; i += 2) {
            end = HpackEncoder.field(fields[i], fields[i + 1], block, end);
        }
        return Arrays.copyOf(block, end);
    }

    void data(int stream, byte[] bytes, boolean ends) throws IOException {
        frame(Frame.DATA, ends ? Frame.END_STREAM : 0, stream, bytes);
    }

    void data(int stream, String text, boolean ends) throws IOException {
        data(stream, text.getBytes(StandardCharsets.UTF_8), ends);
    }

    void enlarge(int stream, int increment) throws IOException {
        send(Frame.windowUpdate(stream, increment));
    }

    void reset(int stream) throws IOException {
        send(Frame.reset(stream, ErrorCode.CANCEL));
    }

    // ---- reading

    /** Reads the next frame. */
    Received read() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = new byte[length];
        in.readFully(payload);
        Received frame = new Received(type, flags, stream, payload);
        note(frame);
        return frame;
    }

    private void note(Received frame) {
        if (forgotten.get(frame.stream())) {
            return;
        }
        switch (frame.type()) {
            case Frame.HEADERS -> of(frame.stream()).heads.add(hpack.read(frame.payload()));
            case Frame.DATA -> of(frame.stream()).body.writeBytes(frame.payload());
            case Frame.RST_STREAM -> of(frame.stream()).reset = frame.code();
            default -> others.add(frame);
        }
        if (frame.endsStream()) {
            of(frame.stream()).ended = true;
        }
    }

    Answer of(int stream) {
        return answers.computeIfAbsent(stream, any -> new Answer());
    }

    /** Drops what has arrived on the stream, and what may still arrive. */
    void forget(int stream) {
        answers.remove(stream);
        forgotten.set(stream);
    }

    /** Reads up to the end or the reset of the stream. */
    Answer answer(int stream) throws IOException {
        Answer answer = of(stream);
        while (!answer.ended && answer.reset == null) {
            read();
        }
        return answer;
    }

    /** Reads up to a frame of this type; on a stream, if {@code stream} is not 0. */
    Received await(int type, int stream) throws IOException {
        Received frame = read();
        while (frame.type() != type || frame.stream() != stream) {
            frame = read();
        }
        return frame;
    }

    /** The bytes by which the server has enlarged the window of this stream since the last call. */
    int takeWindow(int stream) {
        int more = others.stream()
                .filter(frame -> frame.type() == Frame.WINDOW_UPDATE && frame.stream() == stream)
                .mapToInt(Received::number)
                .sum();
        others.removeIf(frame -> frame.type() == Frame.WINDOW_UPDATE && frame.stream() == stream);
        return more;
    }

    /** Sends a PING, and reads up to its answer. So the server has seen all frames before it. */
    void roundTrip() throws IOException {
        send(Frame.ping(42, 0));
        Received frame = await(Frame.PING, 0);
        while ((frame.flags() & Frame.ACK) == 0
                || ByteBuffer.wrap(frame.payload()).getLong() != 42) {
            frame = await(Frame.PING, 0);
        }
    }

    /** Reads up to the GOAWAY and the end of the connection. Returns the code. */
    ErrorCode awaitClose() throws IOException {
        ErrorCode code = await(Frame.GOAWAY, 0).code();
        awaitEnd();
        return code;
    }

    /** Reads up to the end of the connection. */
    void awaitEnd() throws IOException {
        try {
            while (true) {
                read();
            }
        } catch (EOFException end) {
            return;
        }
    }

    /** The frames of the connection so far. */
    List<Received> others() {
        return others;
    }

    void halfClose() throws IOException {
        ((Socket) connection).shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** Reads the server's blocks, which use the static table and literals without Huffman codes only. */
    private static final class HpackReader {

        Map<String, String> read(byte[] block) {
            Map<String, String> fields = new TreeMap<>();
            ByteBuffer in = ByteBuffer.wrap(block);
            while (in.hasRemaining()) {
                int first = in.get(in.position()) & 0xFF;
                if (first >= 0x80) {
                    int index = integer(in, 7);
                    add(fields, latin(StaticTable.name(index)), latin(StaticTable.value(index)));
                } else if (first >= 0x20 && first < 0x40) {
                    integer(in, 5);
                } else if (first < 0x20) {
                    int index = integer(in, 4);
                    String name = index == 0 ? text(in) : latin(StaticTable.name(index));
                    add(fields, name, text(in));
                } else {
                    throw new AssertionError("the server's blocks have no entries for a table");
                }
            }
            return fields;
        }

        private static void add(Map<String, String> fields, String name, String value) {
            fields.merge(name, value, (one, other) -> one + ", " + other);
        }

        private static int integer(ByteBuffer in, int prefix) {
            int most = (1 << prefix) - 1;
            int value = in.get() & most;
            if (value < most) {
                return value;
            }
            for (int shift = 0; ; shift += 7) {
                int octet = in.get();
                value += (octet & 0x7F) << shift;
                if (octet >= 0) {
                    return value;
                }
            }
        }

        private static String text(ByteBuffer in) {
            byte[] bytes = new byte[integer(in, 7)];
            in.get(bytes);
            return latin(bytes);
        }

        private static String latin(byte[] bytes) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }
}
