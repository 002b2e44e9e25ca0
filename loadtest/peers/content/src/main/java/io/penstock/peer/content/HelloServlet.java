package io.penstock.peer.content;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Responds with 13 bytes of text. The servlet does almost nothing, so the cost of the server is measured. */
public final class HelloServlet extends CountedServlet {
    private static final long serialVersionUID = 1L;
    private static final byte[] TEXT = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.setContentLength(TEXT.length);
        response.getOutputStream().write(TEXT);
    }
}
