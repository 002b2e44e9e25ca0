package io.penstock.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limited room for things that any client can make the server keep. A new thing always gets in. If the room is full, the oldest things go.
 * The things of one client address may take a quarter of the room, and at least one thing: beyond that, the oldest things of this address
 * go. So one client cannot remove what the server keeps for all others.
 *
 * <p>This class knows only keys and sizes. The caller keeps the things, and ends those that go.
 *
 * <p>Thread: any; each call takes this object's lock for a moment.
 *
 * @param <K> the key of a thing
 */
public final class FairRoom<K> {
    private static final int SHARES = 4;

    /** The address of clients that have none, such as those of Unix domain sockets. No client has this IPv6 multicast address. */
    private static final Long NO_ADDRESS = -1L;

    private final long most;

    /** The things, the oldest first. */
    @GuardedBy("this")
    private final Map<K, Thing> things = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<Long, Share<K>> shares = new HashMap<>();

    @GuardedBy("this")
    private long taken;

    private record Thing(Long address, long size) {}

    /** What one address has in the room. */
    private static final class Share<K> {
        /** The keys of the things, the oldest first. */
        private final Set<K> keys = new LinkedHashSet<>(2);

        private long taken;
    }

    /** @param most the room, in the unit of the sizes */
    public FairRoom(long most) {
        this.most = most;
    }

    /**
     * Puts a thing with a new key into the room.
     *
     * @param client the address of the client; null if the client has none
     * @return the keys of the things that had to go, which are not in the room any more; only {@code key} itself if its thing is larger
     *     than the room
     */
    public synchronized List<K> add(K key, @Nullable InetAddress client, long size) {
        if (size > most) {
            return List.of(key);
        }
        Long address = client == null ? NO_ADDRESS : AddressKey.of(client);
        things.put(key, new Thing(address, size));
        Share<K> share = shares.computeIfAbsent(address, any -> new Share<>());
        share.keys.add(key);
        share.taken += size;
        taken += size;
        List<K> gone = new ArrayList<>(1);
        while (share.taken > most / SHARES && share.keys.size() > 1) {
            gone.add(removeFirst(share.keys));
        }
        while (taken > most) {
            gone.add(removeFirst(things.keySet()));
        }
        return gone;
    }

    @GuardedBy("this")
    private K removeFirst(Set<K> oldestFirst) {
        K oldest = oldestFirst.iterator().next();
        remove(oldest);
        return oldest;
    }

    /** Removes a thing. Returns whether the room had a thing with this key. */
    public synchronized boolean remove(K key) {
        Thing thing = things.remove(key);
        if (thing == null) {
            return false;
        }
        taken -= thing.size;
        Share<K> share = Objects.requireNonNull(shares.get(thing.address));
        share.keys.remove(key);
        share.taken -= thing.size;
        if (share.keys.isEmpty()) {
            shares.remove(thing.address);
        }
        return true;
    }

    public synchronized boolean has(K key) {
        return things.containsKey(key);
    }

    /** The number of things in the room. */
    public synchronized int count() {
        return things.size();
    }
}
