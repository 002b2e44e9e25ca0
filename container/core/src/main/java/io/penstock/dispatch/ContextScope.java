package io.penstock.dispatch;

import io.penstock.context.WebContext;
import io.penstock.request.HttpRequest;
import jakarta.servlet.ServletException;
import java.io.IOException;

/**
 * Runs a dispatch in the scope of its context: with the context's class loader and, if the request comes from another context, between
 * {@code requestInitialized} and {@code requestDestroyed} of the context's request listeners (Servlet 6.1, 11.3).
 *
 * <p>Thread: the worker that runs the dispatch.
 */
final class ContextScope {
    private ContextScope() {}

    /** The filters and the servlet. */
    @FunctionalInterface
    interface Call {
        void run() throws IOException, ServletException;
    }

    /**
     * Runs {@code call} in the context that {@code inner} is dispatched to.
     *
     * @param from the context whose code runs now
     */
    static void run(HttpRequest inner, WebContext from, Call call) throws IOException, ServletException {
        WebContext context = inner.view().context();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            if (context == from) {
                call.run();
            } else {
                runWithListeners(context, inner, call);
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void runWithListeners(WebContext context, HttpRequest inner, Call call)
            throws IOException, ServletException {
        context.listeners().requestInitialized(inner);
        try {
            call.run();
        } finally {
            context.listeners().requestDestroyed(inner);
        }
    }
}
