package io.penstock.peer.content;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads the request body, and responds with its length in bytes, as text. */
public final class UploadServlet extends CountedServlet {
    private static final long serialVersionUID = 1L;

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        byte[] text = Long.toString(Body.read(request)).getBytes(StandardCharsets.US_ASCII);
        response.setContentType("text/plain");
        response.setContentLength(text.length);
        response.getOutputStream().write(text);
    }
}
