package io.penstock.request;

/**
 * Runs the listeners of non-blocking streams as jobs of an exchange. A job is a task that a worker runs; the jobs of an exchange run one at
 * a time.
 *
 * <p>Thread: any.
 */
public interface Callbacks {

    /** Whether a listener may be set: true in asynchronous mode, or on an upgraded connection. */
    boolean isStarted();

    /**
     * Runs {@code callback} as a job of the exchange with the application's class loader. If the asynchronous cycle ends before the job
     * runs, {@code callback} waits for the next cycle. If the request or the connection ends before the job runs, {@code callback} is not
     * called. If {@code callback} throws, {@code onError} gets the exception. Then the cycle or the connection ends with an error.
     */
    void callback(Callback callback, ErrorCallback onError);

    /** Runs {@code job} as a job of the exchange. */
    void resume(Runnable job);

    /** A method of a listener that the application has set. */
    @FunctionalInterface
    interface Callback {
        void run() throws Exception;
    }

    /** The {@code onError} method of a listener that the application has set. */
    @FunctionalInterface
    interface ErrorCallback {
        void failed(Throwable cause);
    }
}
