package io.penstock.context;

import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.util.List;

/** A servlet that adds the calls of its methods to a list. */
class TestServlet extends GenericServlet {
    private static final long serialVersionUID = 1L;

    private final transient List<String> diary;

    TestServlet(List<String> diary) {
        this.diary = diary;
    }

    @Override
    public void init() throws ServletException {
        diary.add("init " + getServletName());
    }

    @Override
    public void service(ServletRequest request, ServletResponse response) throws ServletException {
        diary.add("service " + getServletName());
    }

    @Override
    public void destroy() {
        diary.add("destroy " + getServletName());
    }
}
