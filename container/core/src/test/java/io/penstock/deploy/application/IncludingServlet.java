package io.penstock.deploy.application;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet that includes a resource. The request parameter {@code page} is the path of the resource. */
@WebServlet("/include")
public final class IncludingServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        response.getWriter().print("[");
        request.getRequestDispatcher(request.getParameter("page")).include(request, response);
        response.getWriter().print("]");
    }
}
