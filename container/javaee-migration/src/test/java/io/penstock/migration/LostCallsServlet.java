package io.penstock.migration;

import java.io.IOException;
import javax.servlet.SingleThreadModel;
import javax.servlet.UnavailableException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpUtils;

/** A servlet with the API {@code javax.servlet}. It uses what has no replacement in Servlet 6, but not for each request. */
@WebServlet("/lost")
@SuppressWarnings("deprecation")
public class LostCallsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String ask = String.valueOf(request.getParameter("ask"));
        switch (ask) {
            case "query" -> response.getWriter().print(HttpUtils.parseQueryString("a=b"));
            case "sessions" -> response.getWriter().print(request.getSession().getSessionContext());
            case "servlet" -> response.getWriter().print(new UnavailableException("x").getServlet());
            case "threads" -> response.getWriter().print((Object) this instanceof SingleThreadModel);
            default -> response.getWriter().print("served");
        }
    }
}
