package io.penstock.maven;

import java.io.IOException;

/** A server that a goal has started, in Maven's JVM or in a separate JVM. Thread: any. */
interface LaunchedServer extends AutoCloseable {

    int port();

    /** The URL of the application, for human readers. */
    String url();

    /**
     * Waits for the end of the server.
     *
     * @throws LaunchException if the server has ended with an error
     */
    void await() throws InterruptedException, LaunchException;

    /**
     * Ends the server, and waits for its end. An interrupt ends the wait.
     *
     * @throws LaunchException if the server had already ended with an error
     */
    @Override
    void close() throws IOException, LaunchException;

    /** Starts the server in this JVM. */
    static LaunchedServer here(Launch launch) throws LaunchException {
        Launch.Started started = launch.start();
        return new LaunchedServer() {
            @Override
            public int port() {
                return started.server().port();
            }

            @Override
            public String url() {
                return started.url();
            }

            @Override
            public void await() throws InterruptedException {
                started.server().await();
            }

            @Override
            public void close() {
                started.close();
            }
        };
    }
}
