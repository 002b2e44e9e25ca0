package io.penstock.request;

/**
 * Who runs the listeners of streams that do not block: as jobs of an exchange, never two at once.
 *
 * <p>Thread: any.
 */
public interface Callbacks {

    /** Whether a listener may be set: in asynchronous mode, or on an upgraded connection. */
    boolean isStarted();

    /**
     * Runs {@code callback} as a job of the exchange with the application's class loader, unless what it belongs to has ended by then.
     * What it throws goes to {@code onError}, then ends the cycle, or the connection, as an error.
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
