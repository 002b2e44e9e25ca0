package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests servlets that write or declare content although the status of the response allows no content (RFC 9110 section 6.4.1). The client
 * must still be able to read the next response on the connection.
 */
class StatusWithoutContentTest {
    private static final String END = "GET /end HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n\r\n";

    /** Runs the actions that the request path names, for example {@code /205/declares/writes/flushes}. */
    private static final class Careless extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String path = request.getPathInfo();
            if (path.equals("/end")) {
                response.getOutputStream().print("the end");
                return;
            }
            response.setStatus(Integer.parseInt(path.substring(1, 4)));
            if (path.contains("declares")) {
                response.setContentLength(5);
            }
            if (path.contains("writes")) {
                response.getOutputStream().print("HTTP/");
            }
            if (path.contains("flushes")) {
                response.flushBuffer();
            }
        }
    }

    private static String responses(String method, String path) throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.servlet("careless", new Careless(), "/*"))
                .start()) {
            String request = method + " " + path + " HTTP/1.1\r\nHost: good.example\r\n\r\n";
            return RawExchange.of(server, request + END).text();
        }
    }

    /** Returns the head of the response. Checks that the response has no body: the next response must follow the head immediately. */
    private static String head(String method, String path) throws Exception {
        String text = responses(method, path);
        int end = text.indexOf("\r\n\r\n") + 4;
        assertEquals("HTTP/1.1 200 OK\r\n", text.substring(end, Math.min(text.length(), end + 17)), text);
        return text.substring(0, end);
    }

    private static String length(String head) {
        return head.lines()
                .filter(line -> line.startsWith("Content-Length:") || line.startsWith("Transfer-Encoding:"))
                .toList()
                .toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/205",
                "/205/declares",
                "/205/writes",
                "/205/declares/writes",
                "/205/declares/writes/flushes",
                "/205/flushes",
                "/205/writes/flushes"
            })
    void aResponseWithStatus205HasContentLengthZero(String path) throws Exception {
        assertEquals("[Content-Length: 0]", length(head("GET", path)));
        assertEquals("[Content-Length: 0]", length(head("POST", path)));
        assertEquals("[Content-Length: 0]", length(head("HEAD", path)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/204", "/204/declares", "/204/writes", "/204/declares/writes/flushes"})
    void aResponseWithStatus204HasNoContentLengthAndNoTransferEncoding(String path) throws Exception {
        assertEquals("[]", length(head("GET", path)));
        assertEquals("[]", length(head("HEAD", path)));
    }

    /** The {@code Content-Length} of a 304 response or of a response to HEAD can be the length of content that is not sent. */
    @Test
    void aResponseWithStatus304AndAResponseToAHeadRequestCanHaveAContentLength() throws Exception {
        assertEquals("[]", length(head("GET", "/304")));
        assertEquals("[Content-Length: 5]", length(head("GET", "/304/declares")));
        assertEquals("[Content-Length: 5]", length(head("GET", "/304/declares/writes/flushes")));
        assertEquals("[Content-Length: 5]", length(head("HEAD", "/200/declares/writes")));
        assertEquals("[Content-Length: 5]", length(head("HEAD", "/200/declares")));
    }
}
