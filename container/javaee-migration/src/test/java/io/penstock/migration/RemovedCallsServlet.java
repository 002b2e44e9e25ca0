package io.penstock.migration;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.UnavailableException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpUtils;

/** A servlet with the API {@code javax.servlet}. It calls the methods that Servlet 6 has removed. */
@WebServlet("/removed")
@SuppressWarnings("deprecation")
public class RemovedCallsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** A wrapper as an application writes it: some methods are its own, and the others are inherited. */
    public static class Response extends HttpServletResponseWrapper {
        public Response(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void setStatus(int status, String message) {
            super.setStatus(status + 1, message);
        }

        @Override
        public String encodeRedirectUrl(String url) {
            return "own " + url;
        }
    }

    /** An exception with the constructors that need the servlet. */
    public static class Closed extends UnavailableException {
        private static final long serialVersionUID = 1L;

        public Closed(HttpServlet servlet, String message) {
            super(servlet, message);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (request.getParameter("closed") != null) {
            throw new Closed(this, "closed by the servlet");
        }
        if (request.getParameter("away") != null) {
            throw new UnavailableException(120, this, "away for two minutes");
        }
        PrintWriter out = response.getWriter();
        ServletContext context = getServletContext();
        HttpSession session = request.getSession();
        Response own = new Response(response);
        UnaryOperator<String> reference = response::encodeUrl;
        out.println(response.encodeUrl("/a") + " " + response.encodeRedirectUrl("/b") + " " + reference.apply("/c"));
        out.println(own.encodeUrl("/d") + ", " + own.encodeRedirectUrl("/e"));
        out.println(request.isRequestedSessionIdFromUrl()
                || new HttpServletRequestWrapper(request).isRequestedSessionIdFromUrl());
        String folder = context.getRealPath("/");
        out.println(folder.equals(request.getRealPath("/"))
                && folder.equals(new HttpServletRequestWrapper(request).getRealPath("/")));
        session.putValue("color", "red");
        out.println(session.getValue("color") + " " + List.of(session.getValueNames()));
        session.removeValue("color");
        out.println(session.getValue("color"));
        out.println(context.getServlet("none") + " " + Collections.list(context.getServlets())
                + Collections.list(context.getServletNames()));
        context.log(new IllegalStateException("why"), "said by the servlet");
        out.println(HttpUtils.getRequestURL(request).toString().endsWith("/removed"));
        response.setStatus(299, "Fine");
        if (request.getParameter("wrapped") != null) {
            own.setStatus(298, "Own");
        }
    }
}
