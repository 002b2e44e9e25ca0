package io.penstock.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The TLS handshakes of one server that wait for their clients and hold memory meanwhile. They may hold a share of {@code tls-budget}. Beyond
 * it the handshake that has waited longest is closed. So clients that begin handshakes and never go on do not keep out others.
 *
 * <p>A handshake is represented by the action that closes it. Thread: any. No method blocks.
 */
final class WaitingHandshakes {
    private final long most;
    private final Counters counters;

    @GuardedBy("this")
    private final Map<Runnable, Long> all = new LinkedHashMap<>(); // in the order in which they began to wait

    @GuardedBy("this")
    private long held;

    /** @param most the maximum number of bytes that all these handshakes may hold */
    WaitingHandshakes(long most, Counters counters) {
        this.most = most;
        this.counters = counters;
    }

    /**
     * Notes that a handshake waits for its client. If it waits already, it keeps its position, so a client gains nothing by sending single
     * bytes.
     *
     * @param close closes the handshake. It is run at most once, possibly by another thread
     * @param bytes the memory that the handshake holds now
     */
    void add(Runnable close, long bytes) {
        List<Runnable> closed = new ArrayList<>(0);
        synchronized (this) {
            Long before = all.put(close, bytes);
            held += bytes - (before == null ? 0 : before);
            for (Iterator<Map.Entry<Runnable, Long>> longest = all.entrySet().iterator();
                    held > most && all.size() > 1; ) {
                Map.Entry<Runnable, Long> next = longest.next();
                held -= next.getValue();
                closed.add(next.getKey());
                longest.remove();
            }
        }
        for (Runnable one : closed) {
            counters.reached(Key.TLS_BUDGET);
            one.run();
        }
    }

    /** Notes that a handshake no longer waits for its client. */
    synchronized void remove(Runnable close) {
        Long before = all.remove(close);
        held -= before == null ? 0 : before;
    }

    /** The number of bytes that all these handshakes hold. */
    synchronized long held() {
        return held;
    }
}
