package io.penstock.sample.filter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the threads that serve a request of this application at the moment. */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class BusyFilter extends HttpFilter {
    private static final String ATTRIBUTE = BusyFilter.class.getName();

    private final AtomicInteger busy = new AtomicInteger();

    @Override
    public void init() {
        getServletContext().setAttribute(ATTRIBUTE, busy);
    }

    /** The number of threads that serve a request of the application, including the calling thread. */
    public static int busy(ServletContext context) {
        return ((AtomicInteger) context.getAttribute(ATTRIBUTE)).get();
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        busy.incrementAndGet();
        try {
            chain.doFilter(request, response);
        } finally {
            busy.decrementAndGet();
        }
    }
}
