package io.penstock.jsp.application;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Forwards to the page in the parameter {@code page}. If the parameter {@code include} is present, includes the page instead. */
public class ControllerServlet extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        request.setAttribute("who", "controller");
        String page = request.getParameter("page");
        if (request.getParameter("include") == null) {
            request.getRequestDispatcher(page).forward(request, response);
        } else {
            response.setContentType("text/plain");
            response.getWriter().print("<<");
            request.getRequestDispatcher(page).include(request, response);
            response.getWriter().print(">>");
        }
    }
}
