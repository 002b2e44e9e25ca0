package io.penstock.peer;

/** The settings that all servers have in common when they are compared. */
public final class Tuned {
    /** The maximum number of connections that the kernel queues until the server accepts them. */
    public static final int BACKLOG = 4096;

    /**
     * The maximum number of open connections. If a server limits the number of requests that wait for a thread, this is also that limit.
     */
    public static final int CONNECTIONS = 20_000;

    /** The maximum time for which a connection can be idle, between requests or within a request, in milliseconds. */
    public static final int IDLE_MILLIS = 60_000;

    /** The maximum size of a request body, in bytes, for servers whose own limit is lower. */
    public static final long LARGEST_BODY = 1L << 30;

    /** The number of threads of a server with a thread pool for servlets. */
    public static final int POOL = 200;

    /** The maximum number of threads of a server with one thread for each connection. */
    public static final int THREAD_PER_CONNECTION = 2000;

    /** The number of Penstock's worker threads. */
    public static final int WORKERS = 4;

    private Tuned() {}
}
