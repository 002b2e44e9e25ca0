package io.penstock.peer.content;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code ?bytes=N}: writes N bytes. */
public final class GeneratedServlet extends CountedServlet {
    private static final long serialVersionUID = 1L;

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long bytes = parameter(request, response, "bytes");
        if (bytes >= 0) {
            Body.write(response, bytes);
        }
    }
}
