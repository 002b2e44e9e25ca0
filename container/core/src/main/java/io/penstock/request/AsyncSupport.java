package io.penstock.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/** The asynchronous state of an exchange. Request and response objects use this interface; the package {@code dispatch} implements it. */
public interface AsyncSupport extends Callbacks {

    /**
     * Puts the exchange into asynchronous mode (Servlet 2.3.3.3).
     *
     * @param request the AsyncContext's request; may be a wrapper
     * @param response the AsyncContext's response; may be a wrapper
     * @param given whether the application has passed request and response to {@code startAsync}
     * @throws IllegalStateException if the exchange cannot become asynchronous in its present state
     */
    AsyncContext start(ServletRequest request, ServletResponse response, Given given);

    /** Returns the AsyncContext. Throws {@link IllegalStateException} if the request is not in asynchronous mode. */
    AsyncContext current();

    boolean isSupported();

    /** Whether the container or the application has supplied the request and response of the AsyncContext. */
    enum Given {
        BY_CONTAINER,
        BY_APPLICATION
    }
}
