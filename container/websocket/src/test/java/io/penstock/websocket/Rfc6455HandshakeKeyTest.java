package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import io.penstock.StartException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the key of a WebSocket handshake. A valid key consists of sixteen octets in Base64. A handshake without a valid key is refused
 * (RFC 6455 section 4.2.1).
 */
class Rfc6455HandshakeKeyTest {
    private static final int READ_TIMEOUT_MILLIS = 60_000;

    private Penstock server;

    @BeforeEach
    void start() throws StartException {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/", context -> context.initializer(WebSockets.endpoints(TalkEndpoint.class)))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String statusLine(String keyLine) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            String request = "GET /talk/a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\n" + keyLine + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder line = new StringBuilder();
            for (int c = socket.getInputStream().read();
                    c >= ' ';
                    c = socket.getInputStream().read()) {
                line.append((char) c);
            }
            return line.toString();
        }
    }

    @Test
    void aMissingOrInvalidKeyIsRefused() throws Exception {
        assertEquals("HTTP/1.1 400 Bad Request", statusLine(""));
        List<String> invalidKeys = List.of(
                "",
                "x",
                "dGhlIHNhbXBsZSBub25j",
                "dGhlIHNhbXBsZSBub25jZTEyMw==",
                "dGhlIHNhbXBsZSBub25jZTEy",
                "************************");
        for (String key : invalidKeys) {
            assertEquals("HTTP/1.1 400 Bad Request", statusLine("Sec-WebSocket-Key: " + key + "\r\n"), key);
        }
    }

    @Test
    void aHandshakeWithTwoKeysIsRefused() throws Exception {
        String key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        assertEquals("HTTP/1.1 400 Bad Request", statusLine(key + key));
        assertEquals("HTTP/1.1 400 Bad Request", statusLine(key + "sec-websocket-key: x\r\n"));
        assertEquals("HTTP/1.1 400 Bad Request", statusLine(key + "Sec-WebSocket-Key:\r\n"));
    }

    @Test
    void oneValidKeyIsAccepted() throws Exception {
        assertEquals("HTTP/1.1 101 Switching Protocols", statusLine("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"));
    }
}
