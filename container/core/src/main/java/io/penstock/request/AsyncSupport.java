package io.penstock.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/** The asynchronous state of an exchange, for request and response; implemented by {@code dispatch}. */
public interface AsyncSupport extends Callbacks {

    /**
     * Puts the exchange into asynchronous mode (Servlet 2.3.3.3).
     *
     * @param request the AsyncContext's request; may be a wrapper
     * @param response the AsyncContext's response; may be a wrapper
     * @param given whether the application named request and response itself
     * @throws IllegalStateException if the state does not allow it
     */
    AsyncContext start(ServletRequest request, ServletResponse response, Given given);

    /** Returns the context of the running cycle. Throws {@link IllegalStateException} if no cycle runs. */
    AsyncContext current();

    boolean isSupported();

    /** The origin of the request and response of {@code startAsync}. */
    enum Given {
        BY_CONTAINER,
        BY_APPLICATION
    }
}
