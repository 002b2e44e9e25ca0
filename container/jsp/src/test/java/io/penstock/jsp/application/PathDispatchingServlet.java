package io.penstock.jsp.application;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Dispatches to the path in the parameter {@code to}. The parameter {@code by} is the kind of dispatch: {@code include}, {@code forward} or
 * {@code async}. With {@code by=error}, the servlet sends status 410. With any other value, the servlet writes the response itself.
 */
@WebServlet(urlPatterns = "/lead", asyncSupported = true)
public class PathDispatchingServlet extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String by = String.valueOf(request.getParameter("by"));
        String to = request.getParameter("to");
        switch (by) {
            case "include" -> request.getRequestDispatcher(to).include(request, response);
            case "forward" -> request.getRequestDispatcher(to).forward(request, response);
            case "async" -> request.startAsync().dispatch(to);
            case "error" -> response.sendError(HttpServletResponse.SC_GONE);
            default -> response.getWriter().print("servlet");
        }
    }
}
