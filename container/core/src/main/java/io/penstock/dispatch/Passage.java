package io.penstock.dispatch;

import io.penstock.context.WebContext;
import io.penstock.request.HttpRequest;
import jakarta.servlet.ServletException;
import java.io.IOException;

/**
 * The way of a dispatch into a context: with its class loader, and, where the request comes from another context, in the scope of
 * its request listeners too (Servlet 6.1, 11.3).
 *
 * <p>Thread: the worker that runs the dispatch.
 */
final class Passage {
    private Passage() {}

    /** The filters and the servlet. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException, ServletException;
    }

    /**
     * Runs {@code step} in the context that {@code inner} is dispatched to.
     *
     * @param from the context whose code runs now
     */
    static void into(HttpRequest inner, WebContext from, Step step) throws IOException, ServletException {
        WebContext context = inner.view().context();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            if (context == from) {
                step.run();
            } else {
                inScope(context, inner, step);
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void inScope(WebContext context, HttpRequest inner, Step step) throws IOException, ServletException {
        context.listeners().requestInitialized(inner);
        try {
            step.run();
        } finally {
            context.listeners().requestDestroyed(inner);
        }
    }
}
