package io.penstock.context;

import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/** Stands for a JSP file registered by code where the application brings no JSP engine: every call fails, saying why. */
final class JspUnavailable extends GenericServlet {
    private static final long serialVersionUID = 1L;

    @Override
    public void service(ServletRequest request, ServletResponse response) throws ServletException {
        throw new ServletException(
                "servlet " + getServletName() + " is a JSP file, and the application brings no servlet named jsp");
    }
}
