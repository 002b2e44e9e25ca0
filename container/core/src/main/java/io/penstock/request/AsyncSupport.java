package io.penstock.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/** What request and response need of the asynchronous state of their exchange; implemented by the dispatching. */
public interface AsyncSupport extends Callbacks {

    /**
     * Puts the exchange into asynchronous mode (Servlet 2.3.3.3).
     *
     * @param source the container's own request on which the method was called
     * @param request what the AsyncContext is to hand on; perhaps a wrapper
     * @param response what the AsyncContext is to hand on; perhaps a wrapper
     * @param given whether the application named request and response itself
     * @throws IllegalStateException if it is not the moment
     */
    AsyncContext start(HttpRequest source, ServletRequest request, ServletResponse response, Given given);

    /** The context of the running cycle; {@link IllegalStateException} if there is none. */
    AsyncContext current();

    boolean isSupported();

    /** Where the request and response of {@code startAsync} came from. */
    enum Given {
        BY_CONTAINER,
        BY_APPLICATION
    }
}
