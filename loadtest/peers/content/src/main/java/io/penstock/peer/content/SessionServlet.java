package io.penstock.peer.content;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * {@code ?bytes=N}: counts the requests of a session in an attribute, which each request reads and writes. A new session also gets an
 * attribute of N bytes, which does not change. The response contains the count.
 */
public final class SessionServlet extends CountedServlet {
    private static final long serialVersionUID = 1L;
    private static final String COUNT = "count";

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long bytes = parameter(request, response, "bytes");
        if (bytes < 0) {
            return;
        }
        HttpSession session = request.getSession();
        Integer before = (Integer) session.getAttribute(COUNT);
        if (before == null) {
            session.setAttribute("content", "x".repeat((int) bytes));
        }
        int count = before == null ? 1 : before + 1;
        session.setAttribute(COUNT, count);
        byte[] text = Integer.toString(count).getBytes(StandardCharsets.US_ASCII);
        response.setContentType("text/plain");
        response.setContentLength(text.length);
        response.getOutputStream().write(text);
    }
}
