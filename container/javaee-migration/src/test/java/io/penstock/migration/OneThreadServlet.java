package io.penstock.migration;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.SingleThreadModel;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Two servlets with the API {@code javax.servlet} that were made for one thread. They answer whether other threads have to wait. */
@WebServlet("/inherited")
@SuppressWarnings("deprecation")
public class OneThreadServlet extends HttpServlet implements SingleThreadModel {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().print(Thread.holdsLock(this));
    }

    /** A servlet with its own {@code service}. */
    @WebServlet("/own")
    public static class Own extends HttpServlet implements SingleThreadModel {
        private static final long serialVersionUID = 1L;

        @Override
        public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
            response.getWriter().print(Thread.holdsLock(this));
        }
    }
}
