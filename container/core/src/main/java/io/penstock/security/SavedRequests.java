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
 * The saved requests of one context whose users have not logged in yet. Each has a number that only the session of its user contains. Their
 * total size is limited; beyond the limit, the oldest requests are dropped.
 *
 * <p>Thread: workers; each call takes this object's lock for a moment. Owns: the requests until they are taken, replaced or dropped.
 */
final class SavedRequests {
    /**
     * How long after the login the client may follow the redirect. If the client requests the location later, that request is handled as a
     * new request, not replaced by the saved one.
     */
    private static final long REDIRECT_TIMEOUT = Saturated.nanos(Duration.ofSeconds(60));

    private final long budget;
    private final Clock clock;

    @GuardedBy("this")
    private final Map<Long, Entry> waiting = new LinkedHashMap<>();

    @GuardedBy("this")
    private long bytes;

    /**
     * Begins with a random number. A session may contain a number from an earlier version of the application or from another server. Such a
     * number must not match.
     */
    @GuardedBy("this")
    private long last = new SecureRandom().nextLong();

    /** @param due the time of the user's login, from which on the request is due; null before */
    private record Entry(SavedRequest request, @Nullable Long due) {}

    SavedRequests(long budget, Clock clock) {
        this.budget = budget;
        this.clock = clock;
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Saves a request.
     *
     * @param dropped called for each request that is dropped for lack of space, which may be this request
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

    /**
     * Notes that the user has logged in. Returns the location of the saved request, which is due from now on; null if it has been dropped.
     */
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

    synchronized boolean has(long number) {
        return waiting.containsKey(number);
    }

    /** Takes the request if it is due and has this location; else null. */
    synchronized @Nullable SavedRequest take(long number, String location) {
        Entry entry = waiting.get(number);
        if (entry == null || entry.due() == null || !entry.request().location().equals(location)) {
            return null;
        }
        drop(number);
        return clock.nanos() - entry.due() <= REDIRECT_TIMEOUT ? entry.request() : null;
    }

    synchronized void drop(long number) {
        Entry entry = waiting.remove(number);
        if (entry != null) {
            bytes -= entry.request().bytes();
        }
    }
}
