package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.memory.FairRoom;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The saved requests of one context whose users have not logged in yet. Each saved request has a number. The number is stored only in the
 * user's session. If the requests of all clients, or of one address, are too large together, the oldest requests are dropped
 * ({@link FairRoom}).
 *
 * <p>Thread: workers; each call takes this object's lock for a moment. Owns: the requests until they are taken, replaced or dropped.
 */
final class SavedRequests {
    /**
     * The time after the login within which the client must follow the redirect. A later request for the location is handled as a new
     * request, and the saved request is dropped.
     */
    private static final long REDIRECT_TIMEOUT = Saturated.nanos(Duration.ofSeconds(60));

    private final FairRoom<Long> room;
    private final Clock clock;

    @GuardedBy("this")
    private final Map<Long, Entry> waiting = new HashMap<>();

    /**
     * The last assigned number. The first number is random, because a session can contain a number of another server or of an earlier
     * version of the application. These numbers must not match a request of this object.
     */
    @GuardedBy("this")
    private long last = new SecureRandom().nextLong();

    /** @param due the time of the user's login; null before the login */
    private record Entry(SavedRequest request, @Nullable Long due) {}

    SavedRequests(long budget, Clock clock) {
        this.room = new FairRoom<>(budget);
        this.clock = clock;
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Saves a request.
     *
     * @param client the address of the client; null if the client has none
     * @param dropped called for each request that is dropped because of the limit; even {@code request} itself can be dropped
     * @return the number of the saved request
     */
    synchronized long keep(SavedRequest request, @Nullable InetAddress client, Runnable dropped) {
        waiting.put(++last, new Entry(request, null));
        for (Long number : room.add(last, client, request.bytes())) {
            waiting.remove(number);
            dropped.run();
        }
        return last;
    }

    /** Records that the user has logged in. Returns the location of the saved request; null if the request has been dropped. */
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

    /**
     * Removes and returns the saved request, if its user has logged in and the request has this location. Returns null in all other cases,
     * and if {@link #REDIRECT_TIMEOUT} has passed since the login.
     */
    synchronized @Nullable SavedRequest take(long number, String location) {
        Entry entry = waiting.get(number);
        if (entry == null || entry.due() == null || !entry.request().location().equals(location)) {
            return null;
        }
        drop(number);
        return clock.nanos() - entry.due() <= REDIRECT_TIMEOUT ? entry.request() : null;
    }

    synchronized void drop(long number) {
        waiting.remove(number);
        room.remove(number);
    }
}
