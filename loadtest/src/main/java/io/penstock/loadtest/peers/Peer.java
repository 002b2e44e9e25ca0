package io.penstock.loadtest.peers;

import io.penstock.loadtest.client.Target;
import java.io.IOException;

/** A program that is measured: a server in its own JVM, or the C epoll loop. Thread: one thread at a time. */
public sealed interface Peer extends AutoCloseable permits ServerProcess, EpollLoop {
    long pid();

    /** The target for a path and query on this server. */
    Target target(String path);

    @Override
    void close() throws IOException;
}
