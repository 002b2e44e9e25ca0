package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one context that wait until their users have logged in, by numbers that only their sessions know. All together have a
 * bound: beyond it the oldest go.
 *
 * <p>Thread: workers; each call takes this object's lock for a moment. Owns: the requests, until they are taken, replaced or dropped.
 */
final class SavedRequests {
    /** Between the login and the client's coming where it was led to; who comes later does not mean the old request. */
    private static final long FOLLOWS = Saturated.nanos(Duration.ofSeconds(60));

    private final long budget;
    private final Clock clock;

    @GuardedBy("this")
    private final Map<Long, Entry> waiting = new LinkedHashMap<>();

    @GuardedBy("this")
    private long bytes;

    /** Begins anywhere: a session may bring a number from another version of its application, or another server, which is nobody's here. */
    @GuardedBy("this")
    private long last = new SecureRandom().nextLong();

    /** @param due when its user logged in; null before */
    private record Entry(SavedRequest request, @Nullable Long due) {}

    SavedRequests(long budget, Clock clock) {
        this.budget = budget;
        this.clock = clock;
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Keeps a request.
     *
     * @param dropped is told of each one that has to go for it, perhaps itself
     * @return its number
     */
    synchronized long keep(SavedRequest request, Runnable dropped) {
        waiting.put(++last, new Entry(request, null));
        bytes += request.bytes();
        for (Iterator<Entry> oldest = waiting.values().iterator(); bytes > budget && oldest.hasNext(); ) {
            bytes -= oldest.next().request().bytes();
            oldest.remove();
            dropped.run();
        }
        return last;
    }

    /** The user has logged in: where to lead him; null if the request has been dropped. The request is due from now on. */
    synchronized @Nullable String loggedIn(long number) {
        Entry entry = waiting.get(number);
        if (entry == null) {
            return null;
        }
        if (entry.request().differsFromGet()) {
            waiting.put(number, new Entry(entry.request(), clock.nanos()));
        } else {
            drop(number);
        }
        return entry.request().location();
    }

    /** The request if it is due and the client has come to its location; once. */
    synchronized @Nullable SavedRequest take(long number, String location) {
        Entry entry = waiting.get(number);
        if (entry == null || entry.due() == null || !entry.request().location().equals(location)) {
            return null;
        }
        drop(number);
        return clock.nanos() - entry.due() <= FOLLOWS ? entry.request() : null;
    }

    synchronized void drop(long number) {
        Entry entry = waiting.remove(number);
        if (entry != null) {
            bytes -= entry.request().bytes();
        }
    }
}
