package io.penstock.pipe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for clients at this moment, in the pipes of one server.
 *
 * <p>Thread: any. A thread waits in one pipe at a time, so a thread has at most one entry.
 */
public final class ClientWaits {

    /** The event that ends a wait. */
    public enum For {
        /** The client sends more bytes of a request's body. */
        BYTES,
        /** The client receives bytes of a response, so the pipe has room. */
        ROOM
    }

    private final Map<Thread, For> waiting = new ConcurrentHashMap<>();

    /** Called by a thread before it waits. The thread must call {@link #end} after the wait, even if the wait fails. */
    void begin(For what) {
        waiting.put(Thread.currentThread(), what);
    }

    /** Called by a thread after its wait. */
    void end() {
        waiting.remove(Thread.currentThread());
    }

    /** The event for which the thread waits; null if the thread does not wait for a client. */
    public @Nullable For of(Thread thread) {
        return waiting.get(thread);
    }
}
