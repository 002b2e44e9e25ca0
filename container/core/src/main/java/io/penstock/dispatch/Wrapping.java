package io.penstock.dispatch;

import io.penstock.request.HttpRequest;
import io.penstock.request.HttpResponse;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the container's request and response objects with the objects of a new dispatch. If the application has wrapped the old objects,
 * the new objects are put into the innermost wrappers, since the target must get the same wrapper objects (Servlet 6.2.2).
 *
 * <p>Thread: the worker that runs the dispatch.
 */
final class Wrapping {
    private final ServletRequest request;
    private final ServletResponse response;
    private final @Nullable ServletRequestWrapper requestWrapper;
    private final @Nullable ServletResponseWrapper responseWrapper;
    private final @Nullable ServletRequest formerRequest;
    private final @Nullable ServletResponse formerResponse;

    /** Puts {@code inner} and its response into the request and response that the application has passed to the dispatch. */
    Wrapping(ServletRequest request, ServletResponse response, HttpRequest inner) {
        requestWrapper = innermost(request);
        responseWrapper = innermost(response);
        formerRequest = requestWrapper == null ? null : requestWrapper.getRequest();
        formerResponse = responseWrapper == null ? null : responseWrapper.getResponse();
        this.request = requestWrapper == null ? inner : request;
        this.response = responseWrapper == null ? inner.response() : response;
        if (requestWrapper != null) {
            requestWrapper.setRequest(inner);
        }
        if (responseWrapper != null) {
            responseWrapper.setResponse(inner.response());
        }
    }

    /** The request for the target. */
    ServletRequest request() {
        return request;
    }

    /** The response for the target. */
    ServletResponse response() {
        return response;
    }

    boolean hasWrappedResponse() {
        return responseWrapper != null;
    }

    /** Puts the former objects back into the wrappers. */
    void undo() {
        if (requestWrapper != null) {
            requestWrapper.setRequest(formerRequest);
        }
        if (responseWrapper != null) {
            responseWrapper.setResponse(formerResponse);
        }
    }

    /**
     * The container's own request, unwrapped.
     *
     * @throws IllegalArgumentException if the argument does not wrap the container's request
     */
    static HttpRequest container(ServletRequest request) {
        ServletRequest current = request;
        while (current instanceof ServletRequestWrapper wrapper) {
            current = wrapper.getRequest();
        }
        if (current instanceof HttpRequest own) {
            return own;
        }
        throw new IllegalArgumentException("The request is not, and does not wrap, the container's request");
    }

    private static @Nullable ServletRequestWrapper innermost(ServletRequest request) {
        ServletRequestWrapper innermost = null;
        ServletRequest current = request;
        while (current instanceof ServletRequestWrapper wrapper) {
            innermost = wrapper;
            current = wrapper.getRequest();
        }
        return innermost;
    }

    /** @throws IllegalArgumentException if the response does not wrap the container's own response */
    private static @Nullable ServletResponseWrapper innermost(ServletResponse response) {
        ServletResponseWrapper innermost = null;
        ServletResponse current = response;
        while (current instanceof ServletResponseWrapper wrapper) {
            innermost = wrapper;
            current = wrapper.getResponse();
        }
        if (current instanceof HttpResponse) {
            return innermost;
        }
        throw new IllegalArgumentException("The response is not, and does not wrap, the container's response");
    }
}
