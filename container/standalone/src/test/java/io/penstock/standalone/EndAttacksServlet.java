package io.penstock.standalone;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A servlet for {@link EndAttacksIT}. {@code /end/slow} takes a quarter of a second. {@code /end/throw} throws, and the listener of its
 * request dispatches to it again. {@code /end/page} is the error page for the error that {@code /end/error} sends, and dispatches back.
 * {@code /end/calls} tells the number of calls of {@code /end/slow}.
 */
@WebServlet(urlPatterns = "/end/*", asyncSupported = true)
public class EndAttacksServlet extends HttpServlet implements AsyncListener {
    private static final AtomicInteger SLOW_CALLS = new AtomicInteger();

    /** Answers after a quarter of a second, as a slow database does. */
    private static final Executor DATABASE = CompletableFuture.delayedExecutor(250, TimeUnit.MILLISECONDS);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getPathInfo()) {
            case "/slow" -> {
                SLOW_CALLS.incrementAndGet();
                CompletableFuture.runAsync(() -> {}, DATABASE).join();
            }
            case "/throw" -> {
                AsyncContext context = request.startAsync();
                context.addListener(this);
                throw new IllegalStateException("on purpose");
            }
            case "/error" -> response.sendError(500);
            case "/page" -> request.startAsync().dispatch("/end/error");
            default -> response.getWriter().print(SLOW_CALLS.get());
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        event.getAsyncContext().dispatch("/end/throw");
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
