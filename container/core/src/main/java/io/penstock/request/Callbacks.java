package io.penstock.request;

/**
 * Runs the listeners of non-blocking streams as jobs of an exchange, one at a time.
 *
 * <p>Thread: any.
 */
public interface Callbacks {

    /** Whether a listener may be set: true in asynchronous mode, or on an upgraded connection. */
    boolean isStarted();

    /**
     * Runs {@code callback} as a job of the exchange with the application's class loader, unless the asynchronous cycle or the connection
     * has ended by then. An exception goes to {@code onError}, and then ends the cycle or the connection as an error.
     */
    void callback(Callback callback, ErrorCallback onError);

    /** Runs {@code job} as a job of the exchange. */
    void resume(Runnable job);

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
