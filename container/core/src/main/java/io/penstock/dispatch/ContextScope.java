package io.penstock.dispatch;

import io.penstock.context.WebContext;
import io.penstock.request.HttpRequest;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/**
 * Runs a dispatch in the scope of its context: with the context's class loader. If the request comes from another context, the context's
 * request listeners are called before and after (Servlet 6.1, 11.3).
 *
 * <p>Thread: the worker that runs the dispatch.
 */
final class ContextScope {
    private ContextScope() {}

    /**
     * Runs {@code chain} in the context to which {@code inner} is dispatched.
     *
     * @param from the context whose code runs now
     * @param request the argument of the chain: {@code inner}, or a wrapper of it
     */
    static void run(HttpRequest inner, WebContext from, Chain chain, ServletRequest request, ServletResponse response)
            throws IOException, ServletException {
        WebContext context = inner.view().context();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            if (context == from) {
                chain.doFilter(request, response);
            } else {
                context.listeners().requestInitialized(inner);
                try {
                    chain.doFilter(request, response);
                } finally {
                    context.listeners().requestDestroyed(inner);
                }
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
