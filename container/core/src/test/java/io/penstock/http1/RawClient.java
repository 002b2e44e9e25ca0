package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.reactor.RecordSocket;
import io.penstock.tls.TestIdentity;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A client for tests. It sends exactly the given bytes, and reads responses with the framing of RFC 9112. */
public final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final SSLContext CLIENTS = TestIdentity.anonymousClient();

    private final Socket socket = new Socket();
    private final InputStream in;
    private final int localPort;
    private final OutputStream out;
    private final RecordSocket records;
    private final SSLSocket tls;

    /** The layer between the bytes of the client and the socket. */
    public enum Layer {
        NONE,
        RECORDS,
        TLS;

        /**
         * Returns the layer of tests that do not choose a layer. This is the value of the system property {@code penstock.test.layer}, or
         * {@link #NONE}. {@link #RECORDS} sends unencrypted records over the socket.
         */
        static Layer usual() {
            return valueOf(System.getProperty("penstock.test.layer", NONE.name()));
        }
    }

    public RawClient(int port) throws IOException {
        this(port, 0, Layer.NONE);
    }

    public RawClient(int port, int receiveBuffer, Layer layer) throws IOException {
        this(port, receiveBuffer, layer, "");
    }

    /** @param protocol the protocol that the client requests from the layer, or an empty string */
    public RawClient(int port, int receiveBuffer, Layer layer, String protocol) throws IOException {
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        records = layer == Layer.RECORDS ? new RecordSocket(socket, protocol) : null;
        tls = layer == Layer.TLS ? handshake(socket, protocol) : null;
        Socket plain = tls == null ? socket : tls;
        in = new BufferedInputStream(records == null ? plain.getInputStream() : records.in());
        out = records == null ? plain.getOutputStream() : records.out();
        localPort = socket.getLocalPort();
    }

    private static SSLSocket handshake(Socket socket, String protocol) throws IOException {
        SSLSocket tls =
                (SSLSocket) CLIENTS.getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        if (!protocol.isEmpty()) {
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {protocol});
            tls.setSSLParameters(parameters);
        }
        return tls; // the handshake starts when the client sends its first byte
    }

    /** Returns the local port of the client, also after the client has been closed. */
    public int port() {
        return localPort;
    }

    public RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends requests that arrive together at a server that echoes them, and checks the responses. */
    public void echoPipelined(int count) throws IOException {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < count; i++) {
            all.append("POST /" + i + " HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n" + "b".repeat(50));
        }
        send(all.toString());
        for (int i = 0; i < count; i++) {
            assertEquals("POST /" + i + "\n" + "b".repeat(50), answer().body());
        }
    }

    public RawClient send(byte[] bytes) throws IOException {
        out.write(bytes);
        return this;
    }

    /** Reads one response. This can be an informational (1xx) response. */
    public Answer answer() throws IOException {
        return answer(false);
    }

    /** Reads the response to a HEAD request. */
    public Answer answerToHead() throws IOException {
        return answer(true);
    }

    private Answer answer(boolean toHead) throws IOException {
        String statusLine = line();
        List<String> fields = lines();
        Answer head = new Answer(statusLine, fields, "", List.of());
        int status = head.status();
        if (toHead || status < 200 || status == 204 || status == 304) {
            return head;
        }
        if (head.field("Transfer-Encoding").equals("chunked")) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (int size = chunkSize(); size > 0; size = chunkSize()) {
                body.write(exactly(size));
                if (!line().isEmpty()) {
                    throw new AssertionError("a chunk does not end with CRLF");
                }
            }
            return new Answer(statusLine, fields, body.toString(StandardCharsets.ISO_8859_1), lines());
        }
        String length = head.field("Content-Length");
        byte[] body = length.isEmpty() ? in.readAllBytes() : exactly(Integer.parseInt(length));
        return new Answer(statusLine, fields, new String(body, StandardCharsets.ISO_8859_1), List.of());
    }

    /** Reads a response with a body of this length as fast as possible, and discards the response. */
    public void skipAnswer(long length) throws IOException {
        lines();
        byte[] buffer = new byte[64 * 1024];
        for (long left = length; left > 0; ) {
            int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (count < 0) {
                throw new EOFException("the stream ended " + left + " bytes too early");
            }
            left -= count;
        }
    }

    /** Reads all bytes until the server ends the stream. */
    public String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Waits until the server ends the stream. Returns false if bytes arrive before the end. A reset causes an {@link IOException}. */
    public boolean isAtEnd() throws IOException {
        return in.read() < 0;
    }

    public byte[] exactly(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("end of the stream after " + bytes.length + " of " + count + " bytes");
        }
        return bytes;
    }

    /** Sends the end of the stream. The client can still read. */
    public RawClient halfClose() throws IOException {
        if (records != null) {
            records.end();
        }
        if (tls != null) {
            tls.shutdownOutput();
            return this;
        }
        socket.shutdownOutput();
        return this;
    }

    /** Ends the connection with a reset. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            lines.add(line);
        }
        return lines;
    }

    public String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int c = in.read();
            if (c < 0) {
                throw new EOFException("end of the stream in a line: " + line);
            }
            if (c == '\n') {
                if (line.length() == 0 || line.charAt(line.length() - 1) != '\r') {
                    throw new AssertionError("a line does not end with CRLF: " + line);
                }
                line.setLength(line.length() - 1);
                return line.toString();
            }
            line.append((char) c);
        }
    }

    /** Returns the TLS socket of the client, or null if the client does not use TLS. */
    public SSLSocket tls() {
        return tls;
    }

    /** Returns the record layer of the client, or null if the client has none. */
    public RecordSocket records() {
        return records;
    }

    public boolean isOpen() {
        return !socket.isClosed();
    }

    @Override
    public void close() throws IOException {
        if (tls != null && !socket.isClosed()) {
            tls.close(); // sends the closing message of TLS
        }
        socket.close();
    }
}
