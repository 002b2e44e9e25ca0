package io.penstock.dispatch;

import io.penstock.context.FilterHolder;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.request.HttpRequest;
import io.penstock.request.HttpResponse;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filters of one dispatch, then its servlet (Servlet 6.2). Each dispatch has a new chain.
 *
 * <p>Thread: the worker that runs the dispatch.
 */
final class Chain implements FilterChain {
    private final List<FilterHolder> filters;
    private final @Nullable ServletHolder servlet;
    private final HttpResponse response;
    private final AsyncState async;
    private int next;

    /**
     * @param servlet the servlet; null if no servlet is mapped, so that the chain ends with 404
     * @param response the container's own response, which gets the status 404
     */
    Chain(List<FilterHolder> filters, @Nullable ServletHolder servlet, HttpResponse response, AsyncState async) {
        this.filters = filters;
        this.servlet = servlet;
        this.response = response;
        this.async = async;
    }

    /**
     * Runs the dispatch with the class loader of its context. If the dispatch comes from another context, the request listeners of its
     * context are called before and after it (Servlet 6.1, section 11.3).
     *
     * @param inner the request in its context
     * @param from the context from which the dispatch comes
     * @param request what the first filter or the servlet gets: {@code inner}, or a wrapper of {@code inner}
     */
    void run(HttpRequest inner, WebContext from, ServletRequest request, ServletResponse answer)
            throws IOException, ServletException {
        WebContext context = inner.view().context();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            if (context == from) {
                doFilter(request, answer);
            } else {
                context.listeners().requestInitialized(inner);
                try {
                    doFilter(request, answer);
                } finally {
                    context.listeners().requestDestroyed(inner);
                }
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse answer) throws IOException, ServletException {
        if (next == filters.size()) {
            serve(request, answer);
            return;
        }
        FilterHolder filter = filters.get(next++);
        Object before = async.pass(filter, filter.asyncSupported());
        try {
            filter.filter().doFilter(request, answer, this);
        } finally {
            async.unsupported(before);
            next--;
        }
    }

    private void serve(ServletRequest request, ServletResponse answer) throws IOException, ServletException {
        if (servlet == null) {
            response.sendError(404);
            return;
        }
        Object before = async.pass(servlet, servlet.asyncSupported());
        try {
            servlet.service(request, answer);
        } finally {
            async.unsupported(before);
        }
    }
}
