package io.penstock.context;

import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/**
 * Replaces the servlet of a JSP file if neither the container nor the application has a JSP engine. Every call throws an exception. The
 * message of the exception says that the JSP engine is missing.
 */
final class JspUnavailable extends GenericServlet {
    private static final long serialVersionUID = 1L;

    @Override
    public void service(ServletRequest request, ServletResponse response) throws ServletException {
        throw new ServletException(
                "servlet " + getServletName() + " is a JSP file, and there is no JSP engine: no servlet is named jsp");
    }
}
