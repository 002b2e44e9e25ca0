package io.penstock.http1;

/**
 * Where a server is on the way to its end; it only goes forward.
 *
 * <pre>
 *   SERVING --> LEAVING --shutdown-delay--> FINISHING --all done--------------------> (closed)
 *                                                \--shutdown-timeout--> CUTTING --> (closed)
 * </pre>
 */
enum Stage {
    SERVING,

    /** Connections are still accepted, and every response closes its connection. */
    LEAVING,

    /** None is accepted; idle ones have been closed; requests that run, or that have begun to arrive, come to their end. */
    FINISHING,

    /** What has not begun its response is answered 503; workers are interrupted. */
    CUTTING
}
