package io.penstock.exchange;

/**
 * The application's code for a connection that has been upgraded to another protocol.
 *
 * <p>Thread: workers. Calls of these methods are jobs of the exchange, so they run one at a time. After {@link #ended}, no method is
 * called.
 */
public interface Upgrade {

    /**
     * The connection has been upgraded. This method may wait for the client. Therefore the server counts this call as a streaming job
     * ({@link io.penstock.work.Job#isStreaming}).
     */
    void begin(RawConnection connection);

    /** The server or the application is being stopped. The input has ended, and this object should close the connection soon. */
    void leave();

    /** The connection has ended. If the client disconnected before {@link #begin} was called, only this method is called. */
    void ended();
}
