package io.penstock.pipe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait in a server's pipes for clients, at this moment.
 *
 * <p>Thread: any. A thread waits in one pipe at a time, so there are at most as many entries as threads.
 */
public final class ClientWaits {

    /** What a client is waited for to do. */
    public enum For {
        /** To send more of a request's body. */
        BYTES,
        /** To take what was written to it. */
        ROOM
    }

    private final Map<Thread, For> waiting = new ConcurrentHashMap<>();

    /** The calling thread is about to wait; {@link #end} follows, whatever happens. */
    void begin(For what) {
        waiting.put(Thread.currentThread(), what);
    }

    /** The calling thread waits no longer. */
    void end() {
        waiting.remove(Thread.currentThread());
    }

    /** What the thread waits for; null if for no client. */
    public @Nullable For of(Thread thread) {
        return waiting.get(thread);
    }
}
