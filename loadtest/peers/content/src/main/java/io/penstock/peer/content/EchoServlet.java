package io.penstock.peer.content;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Sends the request body back, piece by piece while it is being read. The request must have the field Content-Length. */
public final class EchoServlet extends CountedServlet {
    private static final long serialVersionUID = 1L;

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int length = request.getContentLength();
        if (length < 0) {
            response.sendError(HttpServletResponse.SC_LENGTH_REQUIRED);
            return;
        }
        Body.echo(request, response, length);
    }
}
