package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests which requests are WebSocket handshakes (RFC 6455 section 4.2.1): GET requests of HTTP/1.1 with a valid key, which consists of sixteen
 * octets in Base64. Others are refused.
 */
class Rfc6455HandshakeTest {
    private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    private static final int READ_TIMEOUT_MILLIS = 60_000;

    private Penstock server;

    @BeforeEach
    void start() throws StartException {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/", context -> context.servlet(
                                "page",
                                new HttpServlet() {
                                    @Override
                                    protected void service(HttpServletRequest request, HttpServletResponse response) {
                                        response.setHeader("Method", request.getMethod());
                                    }
                                },
                                "/page")
                        .initializer(WebSockets.endpoints(TalkEndpoint.class)))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String statusLine(String keyLine) throws IOException {
        return head("GET /talk/a HTTP/1.1", keyLine).lines().findFirst().orElse("");
    }

    /** Sends a handshake, and returns the head of the answer. */
    private String head(String requestLine, String keyLine) throws IOException {
        return head(requestLine, 13, keyLine);
    }

    private String head(String requestLine, int version, String keyLine) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            String request = requestLine + "\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n"
                    + "Sec-WebSocket-Version: " + version + "\r\n" + keyLine + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder head = new StringBuilder();
            int c = 0;
            while (c >= 0 && head.indexOf("\r\n\r\n") < 0) {
                c = socket.getInputStream().read();
                head.append((char) c);
            }
            return head.toString();
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
        assertEquals("HTTP/1.1 400 Bad Request", statusLine(KEY + KEY));
        assertEquals("HTTP/1.1 400 Bad Request", statusLine(KEY + "sec-websocket-key: x\r\n"));
        assertEquals("HTTP/1.1 400 Bad Request", statusLine(KEY + "Sec-WebSocket-Key:\r\n"));
    }

    @Test
    void oneValidKeyIsAccepted() throws Exception {
        assertEquals("HTTP/1.1 101 Switching Protocols", statusLine(KEY));
    }

    @Test
    void otherMethodsThanGetAreAnsweredByStatus405() throws Exception {
        for (String method : List.of("POST", "PUT", "DELETE", "get")) {
            String head = head(method + " /talk/a HTTP/1.1", KEY + "Content-Length: 0\r\n");
            assertTrue(head.startsWith("HTTP/1.1 405 "), head);
            assertTrue(head.contains("\r\nAllow: GET\r\n"), head);
        }
    }

    @Test
    void anotherVersionIsAnsweredByStatus426AndTheVersionOfTheServer() throws Exception {
        String head = head("GET /talk/a HTTP/1.1", 8, KEY);
        assertTrue(head.startsWith("HTTP/1.1 426 "), head);
        assertTrue(head.contains("\r\nSec-WebSocket-Version: 13\r\n"), head);
    }

    @Test
    void aHandshakeOfHttp10IsAnsweredByStatus400() throws Exception {
        String head = head("GET /talk/a HTTP/1.0", KEY);
        assertTrue(head.startsWith("HTTP/1.1 400 "), head);
    }

    @Test
    void anUpgradeIsIgnoredWhereThereIsNoEndpoint() throws Exception {
        assertTrue(head("POST /page HTTP/1.1", KEY + "Content-Length: 0\r\n").contains("\r\nMethod: POST\r\n"));
        assertTrue(head("GET /page HTTP/1.0", KEY).contains("\r\nMethod: GET\r\n"));
    }
}
