package io.penstock.peer;

/** The settings that are the same for all servers when they are compared. */
public final class Tuned {
    /** Connections that the kernel holds until they are accepted. */
    public static final int BACKLOG = 4096;

    /** The maximum number of open connections, and of requests that wait for a thread if a server limits them. */
    public static final int CONNECTIONS = 20_000;

    /** Milliseconds for which a connection may be idle, between requests and within one. */
    public static final int IDLE_MILLIS = 60_000;

    /** Bytes that the body of a request may have, if the server's own limit is lower. */
    public static final long LARGEST_BODY = 1L << 30;

    /** Threads of a pool that runs servlets while connections wait in a selector. */
    public static final int POOL = 200;

    /** Threads of a server with one thread for each connection. */
    public static final int THREAD_PER_CONNECTION = 2000;

    /** Penstock's workers. */
    public static final int WORKERS = 4;

    private Tuned() {}
}
