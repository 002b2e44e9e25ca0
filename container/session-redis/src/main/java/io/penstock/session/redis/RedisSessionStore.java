package io.penstock.session.redis;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StaleSessionException;
import io.penstock.store.StoreUnavailableException;
import io.penstock.store.StoredSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of one application in Redis. Each session is a hash with a field for each attribute. Each shard ({@link SessionNames}) has
 * an index: a sorted set of its sessions by their expiry. Most calls run one script. Redis runs each script as one atomic step.
 *
 * <p><strong>Late scripts.</strong> Redis can run a script after the server has stopped waiting for the reply. A save replaces only the
 * version that it names, and the time of last use never becomes earlier. So a late script does not undo changes of other servers.
 *
 * <p><strong>Repetition.</strong> After the loss of a connection, the client does not know whether its script has run. So the client
 * repeats the script. Each save has a random mark, and the session keeps the marks of its latest four changes. If a repeated save finds its
 * own mark, it changes nothing and returns the version of its first run. If a deletion is repeated and the first run has deleted the
 * session, the repetition returns false. In this case, no server calls the listeners for the end of the session.
 *
 * <p>Thread: any; many at the same time.
 */
final class RedisSessionStore implements SessionStore {
    private static final Logger LOG = LoggerFactory.getLogger(RedisSessionStore.class);

    /** The time that a server has for the deletion of an expired session. After that time, another server can get the session. */
    static final Duration LEASE = Duration.ofSeconds(30);

    /** The maximum number of bytes that are read for one session. */
    static final int LARGEST = 64 * 1024 * 1024;

    private static final int PROBLEMS_LOGGED = 100;

    private final Redis redis;
    private final SessionNames names;
    private final RedisLocation.Conflict conflict;
    private final ClusterRename rename;
    private final AtomicInteger firstShard = new AtomicInteger();
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    RedisSessionStore(Redis redis, SessionNames names, RedisLocation.Conflict conflict) {
        this.redis = redis;
        this.names = names;
        this.conflict = conflict;
        this.rename = new ClusterRename(redis, names);
    }

    @Override
    public Optional<StoredSession> load(SessionKey key, long known) throws IOException {
        Reply reply = read(key, known);
        if (reply.is("arriving") && rename.settle(SessionNames.key(reply.text(1)), key)) {
            reply = read(key, known);
        }
        return reply.isSession() ? Optional.of(reply.session()) : Optional.empty();
    }

    private Reply read(SessionKey key, long known) throws IOException {
        return run(Script.LOAD, key, List.of(names.session(key)), List.of(number(known), number(LARGEST)));
    }

    @Override
    public OptionalLong save(SessionChange change) throws IOException {
        checkSize(change);
        SaveCall call = SaveCall.first(change, conflict);
        boolean sameKey = change.former().equals(change.key());
        if (!sameKey && redis.reach() == Redis.Reach.ONE_TAG) {
            return rename.save(call);
        }
        long start = System.nanoTime();
        long within = redis.repeatedWithin().toNanos();
        Reply reply = run(Script.SAVE, change.key(), keys(change), call.arguments("here"));
        for (int merges = 0; reply.is("changed") && (merges == 0 || System.nanoTime() - start < within); merges++) {
            call = call.replacing(reply.marks());
            reply = run(Script.SAVE, change.key(), keys(change), call.arguments("here"));
        }
        return saved(change, reply);
    }

    /** Refuses attributes that are too large, because a larger session could be written but not read. */
    private static void checkSize(SessionChange change) throws IOException {
        long bytes = 0;
        for (byte[] value : change.written().values()) {
            bytes += value.length;
        }
        if (bytes > LARGEST / 2) {
            throw new IOException("attributes of " + bytes + " bytes are too large for a session in Redis");
        }
    }

    static OptionalLong saved(SessionChange change, Reply reply) throws IOException {
        if (reply.is("stale") || reply.is("changed")) {
            throw new StaleSessionException(reply.number(1), change.base());
        }
        return reply.is("saved") ? OptionalLong.of(reply.number(1)) : OptionalLong.empty();
    }

    private List<byte[]> keys(SessionChange change) {
        SessionKey former = change.former();
        SessionKey key = change.key();
        return former.equals(key)
                ? List.of(names.session(key), names.index(key))
                : List.of(names.session(former), names.index(former), names.session(key), names.index(key));
    }

    @Override
    public void touch(SessionKey key, Instant accessed) throws IOException {
        run(Script.TOUCH, key, keys(key), List.of(millis(accessed)));
    }

    @Override
    public boolean delete(SessionKey key) throws IOException {
        return run(Script.DELETE, key, keys(key), List.of()).is("deleted");
    }

    @Override
    public boolean deleteExpired(SessionKey key, Instant now) throws IOException {
        return run(Script.DELETE_EXPIRED, key, keys(key), List.of(millis(now))).is("deleted");
    }

    /**
     * Each call begins with a different shard. So a shard with many expired sessions does not delay other shards. Most uses of a session do
     * not change the index, so an expiry time in the index can be too early. With many such index entries, a script can find too few
     * expired sessions. In this case, the search continues. If a node of a cluster does not answer, only the sessions on this node are not
     * found.
     */
    @Override
    public Collection<StoredSession> expired(Instant now, int most) throws IOException {
        long start = System.nanoTime();
        List<byte[]> indexes = new ArrayList<>();
        int first = firstShard.getAndIncrement();
        for (int i = 0; i < SessionNames.SHARDS; i++) {
            indexes.add(names.index(Math.floorMod(first + i, SessionNames.SHARDS)));
        }
        List<List<byte[]>> scripts = redis.reach() == Redis.Reach.ALL_KEYS
                ? List.of(indexes)
                : indexes.stream().map(List::of).toList();
        long within = redis.repeatedWithin().toNanos();
        List<StoredSession> found = new ArrayList<>();
        StoreUnavailableException away = null;
        for (List<byte[]> searched : scripts) {
            boolean more = found.size() < most && (away == null || System.nanoTime() - start < within);
            try {
                while (more) {
                    more = search(searched, now, most - found.size(), found)
                            && found.size() < most
                            && System.nanoTime() - start < within;
                }
            } catch (StoreUnavailableException e) {
                away = e;
            }
        }
        if (away != null && found.isEmpty()) {
            throw away;
        }
        return found;
    }

    /** Adds expired sessions to {@code found}. Returns whether there might be more expired sessions. */
    private boolean search(List<byte[]> indexes, Instant now, int most, List<StoredSession> found) throws IOException {
        Object reply = redis.run(Script.EXPIRED, indexes, List.of(millis(now), number(most), millis(now.plus(LEASE))));
        if (!(reply instanceof List<?> lists)
                || lists.size() != 3
                || !(lists.get(0) instanceof List<?> sessions)
                || !(lists.get(1) instanceof List<?> problems)) {
            throw new IOException("Redis gives no list of expired sessions");
        }
        for (Object session : sessions) {
            List<?> items = (List<?>) session;
            SessionKey key = SessionNames.key(new String((byte[]) items.get(0), StandardCharsets.US_ASCII));
            try {
                found.add(Reply.of(key, items.subList(1, items.size())).session());
            } catch (IOException e) {
                log(String.valueOf(e.getMessage()));
            }
        }
        for (Object problem : problems) {
            log(new String((byte[]) problem, StandardCharsets.UTF_8));
        }
        return Long.valueOf(1).equals(lists.get(2));
    }

    /** Logs each problem once. */
    private void log(String problem) {
        if (logged.size() < PROBLEMS_LOGGED && logged.add(problem)) {
            LOG.warn("A key in Redis holds no session, and will not expire: {}", problem);
        }
    }

    private Reply run(Script script, SessionKey key, List<byte[]> keys, List<byte[]> arguments) throws IOException {
        return Reply.of(key, redis.run(script, keys, arguments));
    }

    private List<byte[]> keys(SessionKey key) {
        return List.of(names.session(key), names.index(key));
    }

    static byte[] digest(SessionKey key) {
        return text(key.digest());
    }

    static byte[] number(long number) {
        return text(Long.toString(number));
    }

    static byte[] millis(Instant time) {
        return number(time.toEpochMilli());
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
