package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Opens WebSocket connections as plain sockets. So a test can send incomplete or invalid frames. */
final class RawHandshake {
    private static final int READ_TIMEOUT_MILLIS = 60_000;

    private RawHandshake() {}

    /** Opens a connection with a small receive window. After the handshake, only the test reads from the returned socket. */
    static Socket connect(Penstock server, String path, String... moreFields) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
        shakeHands(socket, path, moreFields);
        return socket;
    }

    static void shakeHands(Socket socket, String path, String... moreFields) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + Stream.of(moreFields).map(field -> field + "\r\n").collect(Collectors.joining())
                + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
        }
        assertTrue(head.toString().startsWith("HTTP/1.1 101 "), head.toString());
        assertTrue(head.toString().contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), head.toString());
    }

    /** Sends a text frame. The text must be shorter than 126 bytes. All bytes of the mask are zero. */
    static void sendText(Socket socket, String text) throws IOException {
        byte[] frame = new byte[6 + text.length()];
        frame[0] = (byte) 0x81;
        frame[1] = (byte) (0x80 | text.length());
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, frame, 6, text.length());
        socket.getOutputStream().write(frame);
    }
}
