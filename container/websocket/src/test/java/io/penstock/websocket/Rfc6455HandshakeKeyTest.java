package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import io.penstock.StartException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455 section 4.2.1: a key is sixteen octets in Base64, and a handshake without one is refused. */
class Rfc6455HandshakeKeyTest {
    private static final int PATIENCE_MILLIS = 20_000;

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
            socket.setSoTimeout(PATIENCE_MILLIS);
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Sec-WebSocket-Key:\r\n",
                "Sec-WebSocket-Key: x\r\n",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j\r\n",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZTEyMw==\r\n",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZTEy\r\n",
                "Sec-WebSocket-Key: ************************\r\n",
            })
    void noneIsRefused(String keyLine) throws Exception {
        assertEquals("HTTP/1.1 400 Bad Request", statusLine(keyLine));
    }

    @Test
    void oneIsAnswered() throws Exception {
        assertEquals("HTTP/1.1 101 Switching Protocols", statusLine("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"));
    }
}
