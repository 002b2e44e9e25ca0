package io.penstock.deploy.application;

import jakarta.annotation.Resource;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;

/** A servlet with injected fields of several types. The servlet stores their values in a context attribute. */
@WebServlet(name = "entries", urlPatterns = "/entries", loadOnStartup = 1)
public class EntriesServlet extends HttpServlet {
    @Resource(name = "word")
    private String word = "nothing";

    @Resource(name = "limit")
    private int limit = -1;

    @Resource(lookup = "java:comp/env/state")
    private Thread.State state;

    @Resource(name = "plain")
    private Object plain;

    @Override
    public void init() {
        getServletContext()
                .setAttribute(
                        "entries",
                        word + " " + limit + " " + state + " "
                                + plain.getClass().getSimpleName());
    }
}
