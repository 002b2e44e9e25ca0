package io.penstock.peer.content;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;

/**
 * {@code ?millis=N}: waits for N milliseconds without using a processor, like an application that waits for a database. {@code ?rounds=N}:
 * computes; a million rounds take some milliseconds.
 */
public final class WorkServlet extends CountedServlet {
    private static final long serialVersionUID = 1L;
    private static final byte[] TEXT = "done".getBytes(StandardCharsets.US_ASCII);

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getParameter("rounds") != null) {
            long computed = 1;
            for (long left = parameter(request, response, "rounds"); left > 0; left--) {
                computed = (computed ^ computed << 13) * 0x9E3779B97F4A7C15L + left;
            }
            request.setAttribute("computed", computed);
            send(response, TEXT);
            return;
        }
        long millis = parameter(request, response, "millis");
        if (millis < 0) {
            return;
        }
        try {
            Thread.sleep(millis);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("The server stops").initCause(stopped);
        }
        send(response, TEXT);
    }
}
