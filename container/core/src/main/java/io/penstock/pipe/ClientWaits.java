package io.penstock.pipe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The threads that now wait for clients in a server's pipes.
 *
 * <p>Thread: any. A thread waits in one pipe at a time, so there are at most as many entries as threads.
 */
public final class ClientWaits {

    /** The action of the client that ends the wait. */
    public enum For {
        /** Send more of a request's body. */
        BYTES,
        /** Read bytes of a response. */
        ROOM
    }

    private final Map<Thread, For> waiting = new ConcurrentHashMap<>();

    /** The calling thread is about to wait; {@link #end} follows in any case. */
    void begin(For what) {
        waiting.put(Thread.currentThread(), what);
    }

    /** The calling thread waits no longer. */
    void end() {
        waiting.remove(Thread.currentThread());
    }

    /** The wait of the thread; null if it does not wait for a client. */
    public @Nullable For of(Thread thread) {
        return waiting.get(thread);
    }
}
