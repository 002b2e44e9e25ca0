package io.penstock.maven;

import java.io.IOException;

/** A server that a goal has started, in the JVM of Maven or in one of its own. Thread: any. */
interface LaunchedServer extends AutoCloseable {

    int port();

    /** Waits for the end of the server. */
    void await() throws InterruptedException;

    /** Ends the server, and waits for that, unless the thread is interrupted. */
    @Override
    void close() throws IOException;

    /** Starts it in this JVM. */
    static LaunchedServer here(Launch launch) throws LaunchException {
        Launch.Started started = launch.start();
        return new LaunchedServer() {
            @Override
            public int port() {
                return started.server().port();
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
