package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests the largest body of a request: that of the server, and those of paths. */
class BodyLimitTest {

    private static int status(Penstock server, String path, int length, boolean chunked) throws IOException {
        String body = "x".repeat(length);
        String framed = chunked
                ? "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(length) + "\r\n" + body + "\r\n0\r\n\r\n"
                : "Content-Length: " + length + "\r\n\r\n" + body;
        return RawExchange.of(server, "POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + framed)
                .status();
    }

    @Test
    void aPathHasItsOwnLimit() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("body-limit", "100")
                .set("/app/upload:body-limit", "200")
                .set("/app/upload/small:body-limit", "10")
                .context("/app", context -> context.servlet("who", new WhoServlet(), "/*"))
                .start()) {
            for (boolean chunked : new boolean[] {false, true}) {
                assertEquals(200, status(server, "/app/a", 100, chunked));
                assertEquals(413, status(server, "/app/a", 101, chunked));
                assertEquals(200, status(server, "/app/upload", 200, chunked));
                assertEquals(413, status(server, "/app/upload", 201, chunked));
                assertEquals(200, status(server, "/app/upload/b", 200, chunked));
                assertEquals(200, status(server, "/app/upload/small", 10, chunked));
                assertEquals(413, status(server, "/app/upload/small", 11, chunked));
            }
        }
    }
}
