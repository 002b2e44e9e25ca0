package io.penstock.deploy;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Stands where a JSP engine would: answers 501 to requests for JSP pages, whose source must not leave the server as a plain file.
 *
 * <p>Thread: workers, several at once.
 */
public final class JspAbsentServlet extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.sendError(HttpServletResponse.SC_NOT_IMPLEMENTED, "This server has no JSP engine");
    }
}
