package io.penstock.dispatch;

import io.penstock.context.WebContext;
import io.penstock.request.HttpRequest;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/**
 * Runs a dispatch with the class loader of the target context. If the dispatch comes from another context, the request listeners of the
 * target context are called before and after the dispatch (Servlet 6.1, section 11.3).
 *
 * <p>Thread: the worker that runs the dispatch.
 */
final class ContextScope {
    private ContextScope() {}

    /**
     * Runs {@code chain} in the context to which {@code inner} is dispatched.
     *
     * @param from the context from which the dispatch comes
     * @param request the argument of the chain: {@code inner}, or a wrapper of {@code inner}
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
