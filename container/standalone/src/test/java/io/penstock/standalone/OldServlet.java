package io.penstock.standalone;

import java.io.IOException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A servlet that uses {@code javax.servlet}, like applications for Tomcat 9. */
@WebServlet("/hello")
public class OldServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().print("hello from " + HttpServlet.class.getName());
    }
}
