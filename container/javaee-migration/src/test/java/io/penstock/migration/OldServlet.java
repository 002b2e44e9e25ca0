package io.penstock.migration;

import java.io.IOException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A servlet with the API {@code javax.servlet}, for servers such as Tomcat 9. */
@WebServlet("/hello")
public class OldServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        request.getSession().setAttribute("javax.servlet.seen", true);
        response.getWriter().print("hello from " + HttpServlet.class.getName());
    }
}
