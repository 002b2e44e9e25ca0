package io.penstock.dispatch;

import io.penstock.context.ErrorPages;
import io.penstock.context.WebContext;
import io.penstock.http.Status;
import io.penstock.http.Violation;
import io.penstock.request.HttpRequest;
import io.penstock.request.HttpResponse;
import io.penstock.request.PathView;
import io.penstock.request.ResponseState;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers with the application's error page for an error, or with a default page (Servlet 10.9).
 *
 * <p>Thread: the worker that runs the exchange.
 */
final class ErrorDispatch {
    private final HttpRequest original;
    private final AsyncState async;
    private final Consumer<HttpRequest> dispatched;

    /** @param dispatched gets the request of the error page before the page is called */
    ErrorDispatch(HttpRequest original, AsyncState async, Consumer<HttpRequest> dispatched) {
        this.original = original;
        this.async = async;
        this.dispatched = dispatched;
    }

    /**
     * Answers with an error page. The head of the response must not have been sent.
     *
     * @param cause the exception, which the page can show; null if only the status counts. With status 500, the class of the exception can
     *     select the page
     * @param thrown the exception that the default page shows in development, also if only the status counts; null if there is none
     */
    void answer(int status, @Nullable String message, @Nullable Throwable cause, @Nullable Throwable thrown)
            throws IOException {
        ResponseState response = original.response().state();
        response.startOver(status);
        Target page = page(status, cause);
        if (page != null && dispatch(page, status, message, cause)) {
            return;
        }
        if (!response.isOnTheWire()) {
            defaultPage(status, message, cause == null ? thrown : cause);
        }
    }

    /** Answers with the default page, without calling the application. The head of the response must not have been sent. */
    void answer(Failure failure) throws IOException {
        defaultPage(failure.status(), null, null);
        if (failure.retryAfter() != null) {
            original.response().state().retryAfter(failure.retryAfter());
        }
    }

    private void defaultPage(int status, @Nullable String message, @Nullable Throwable cause) throws IOException {
        ResponseState response = original.response().state();
        response.takeError();
        response.startOver(status);
        if (Status.isBodiless(status)) {
            return; // the length of the page would be announced as that of the resource
        }
        DefaultPage page = new DefaultPage(original, status);
        if (cause == null) {
            page.show(message);
        } else {
            page.show(cause);
        }
    }

    private @Nullable Target page(int status, @Nullable Throwable cause) {
        WebContext context = original.view().context();
        ErrorPages pages = context.settings().errorPages();
        // With a status other than 500, the client is at fault. In this case the status selects the page, and the
        // exception is only an attribute.
        String location = cause == null || status != 500 ? null : pages.forThrowable(cause);
        if (location == null) {
            location = pages.forStatus(status);
        }
        if (location == null) {
            return null;
        }
        try {
            Target target = Target.of(context, location);
            return target.exists() ? target : null;
        } catch (Violation e) {
            ContextLog.applicationError(original, e);
            return null;
        }
    }

    /** Dispatches to the error page. Returns whether the page has answered. */
    private boolean dispatch(Target page, int status, @Nullable String message, @Nullable Throwable cause) {
        Map<String, Object> attributes = DispatchAttributes.FORWARD.of(original);
        attributes.putAll(errorAttributes(status, message, cause));
        PathView view = page.view(DispatcherType.ERROR, original, "GET", attributes);
        HttpRequest inner = new HttpRequest(original, view);
        HttpResponse answer = inner.response();
        dispatched.accept(inner);
        try {
            new Chain(page.filters(DispatcherType.ERROR), page.servlet(), answer, async).doFilter(inner, answer);
            return !answer.state().hasError();
        } catch (Throwable t) {
            // The client must get a response after any exception, as in other dispatches.
            original.state().exchange().threw(t);
            if (!answer.state().hasFailed()) {
                ContextLog.applicationError(inner, t);
            }
            if (answer.state().isOnTheWire() && !answer.state().isEnded()) {
                answer.state().abort(t);
            }
            return answer.state().isOnTheWire();
        }
    }

    private Map<String, Object> errorAttributes(int status, @Nullable String message, @Nullable Throwable cause) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(RequestDispatcher.ERROR_STATUS_CODE, status);
        attributes.put(RequestDispatcher.ERROR_MESSAGE, message == null ? Status.reason(status) : message);
        attributes.put(RequestDispatcher.ERROR_REQUEST_URI, original.getRequestURI());
        attributes.put(RequestDispatcher.ERROR_METHOD, original.getMethod());
        if (original.getQueryString() != null) {
            attributes.put(RequestDispatcher.ERROR_QUERY_STRING, original.getQueryString());
        }
        if (original.view().servlet() != null) {
            attributes.put(
                    RequestDispatcher.ERROR_SERVLET_NAME,
                    original.view().servlet().name());
        }
        if (cause != null) {
            Throwable shown = cause;
            if (cause instanceof ServletException wrapper && wrapper.getRootCause() != null) {
                shown = wrapper.getRootCause();
            }
            attributes.put(RequestDispatcher.ERROR_EXCEPTION, shown);
            attributes.put(RequestDispatcher.ERROR_EXCEPTION_TYPE, shown.getClass());
        }
        return attributes;
    }
}
