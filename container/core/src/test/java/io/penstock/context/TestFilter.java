package io.penstock.context;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;

/** A filter that adds the calls of {@code init} and {@code destroy} to a list. */
final class TestFilter implements Filter {
    private final List<String> diary;
    private String name = "?";

    TestFilter(List<String> diary) {
        this.diary = diary;
    }

    @Override
    public void init(FilterConfig config) {
        name = config.getFilterName();
        diary.add("init " + name);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
    }

    @Override
    public void destroy() {
        diary.add("destroy " + name);
    }
}
