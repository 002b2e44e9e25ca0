package io.penstock.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/** What request and response need of the asynchronous state of their exchange; implemented by the dispatching. */
public interface AsyncSupport {

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

    boolean isStarted();

    boolean isSupported();

    /**
     * Runs {@code callback} as a job of the exchange with the application's class loader, unless the cycle has ended by then.
     * What it throws goes to {@code onError}, then ends the cycle as an error.
     */
    void callback(Callback callback, ErrorCallback onError);

    /** Runs {@code job} as a job of the exchange. Any thread. */
    void resume(Runnable job);

    /** Where the request and response of {@code startAsync} came from. */
    enum Given {
        BY_CONTAINER,
        BY_APPLICATION
    }

    /** A method of a listener of the application. */
    @FunctionalInterface
    interface Callback {
        void run() throws Exception;
    }

    /** The {@code onError} method of a listener of the application. */
    @FunctionalInterface
    interface ErrorCallback {
        void failed(Throwable cause);
    }
}
