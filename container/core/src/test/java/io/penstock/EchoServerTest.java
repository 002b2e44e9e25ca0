package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the responses of the {@link EchoServer}. Conformance test programs rely on these responses. */
final class EchoServerTest {

    private static String exchange(Penstock server, String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static void assertBody(String expected, String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertEquals(expected, answer.substring(answer.indexOf("\r\n\r\n") + 4));
    }

    @Test
    void theRequestBodyIsSentBackUnchanged() throws Exception {
        try (Penstock server = EchoServer.start(0)) {
            for (String method : List.of("GET", "POST", "PUT", "SEARCH")) {
                String head = method + " / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
                assertBody("", exchange(server, head + "\r\n"));
                assertBody("h\u00e9llo", exchange(server, head + "Content-Length: 5\r\n\r\nh\u00e9llo"));
                assertBody(
                        "hello", exchange(server, head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"));
            }
        }
    }

    @Test
    void allFieldLinesOfTheRequestAreListedInOrder() throws Exception {
        try (Penstock server = EchoServer.start(0)) {
            assertBody(
                    "Host: x\nX-Two: 1\nX-Two: 2\nConnection: close\n",
                    exchange(
                            server,
                            "GET /echo HTTP/1.1\r\nHost: x\r\nX-Two: 1\r\nX-Two:  2 \r\nConnection: close\r\n\r\n"));
        }
    }

    @Test
    void theCookiesOfTheRequestAreListed() throws Exception {
        try (Penstock server = EchoServer.start(0)) {
            String head = "GET /cookie HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
            assertBody("a=1\nb=2\n", exchange(server, head + "Cookie: a=1; b=2\r\n\r\n"));
            assertBody("", exchange(server, head + "\r\n"));
        }
    }
}
