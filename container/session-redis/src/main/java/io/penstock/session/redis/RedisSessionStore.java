package io.penstock.session.redis;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StaleSessionException;
import io.penstock.store.StoredSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of one application in Redis: a hash for each session, with a field for each attribute, and for each shard a sorted set of
 * sessions by their end. Each call is one script, which Redis runs as one step.
 *
 * <p><strong>Repetition.</strong> A client that has lost its connection cannot know whether its script has run, and repeats it. Each save has
 * a random mark, and the session has those of its latest four changes: a repetition finds its mark, changes nothing, and gets the version of
 * its first run. A repeated end of a session may find it gone and returns false: then no server calls the listeners of its expiry.
 *
 * <p>Thread: any, many at once.
 */
final class RedisSessionStore implements SessionStore {
    private static final Logger LOG = LoggerFactory.getLogger(RedisSessionStore.class);

    /** A server that has been given an expired key has this time to delete it. */
    static final Duration LEASE = Duration.ofSeconds(30);

    /** The most that is read for one session, in bytes. */
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
        return reply.is("here") ? Optional.of(reply.session()) : Optional.empty();
    }

    private Reply read(SessionKey key, long known) throws IOException {
        return run(Script.LOAD, key, List.of(names.session(key)), List.of(number(known), number(LARGEST)));
    }

    @Override
    public OptionalLong save(SessionChange change) throws IOException {
        checkSize(change);
        boolean sameKey = change.former().equals(change.key());
        if (sameKey || redis.reach() == Redis.Reach.ALL_KEYS) {
            return saved(change, run(Script.SAVE, change.key(), keys(change), arguments(change, "here")));
        }
        return rename.save(change, arguments(change, "arriving"));
    }

    /** A larger session could be written, and not be read. */
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
        if (reply.is("stale")) {
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

    /** @param state in which the session must be to be changed, as the script names it */
    private List<byte[]> arguments(SessionChange change, String state) {
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(number(change.base()));
        arguments.add(millis(change.created()));
        arguments.add(millis(change.accessed()));
        arguments.add(number(change.maxInactiveSeconds()));
        arguments.add(ByteBuffer.allocate(Long.BYTES)
                .putLong(ThreadLocalRandom.current().nextLong())
                .array());
        arguments.add(text(conflict == RedisLocation.Conflict.REFUSE ? "refuse" : "last"));
        arguments.add(digest(change.key()));
        arguments.add(digest(change.former()));
        arguments.add(text(state));
        arguments.add(number(change.written().size()));
        for (Map.Entry<String, byte[]> attribute : change.written().entrySet()) {
            arguments.add(AttributeField.of(attribute.getKey()));
            arguments.add(attribute.getValue());
        }
        for (String name : change.removed()) {
            arguments.add(AttributeField.of(name));
        }
        return arguments;
    }

    @Override
    public void touch(SessionKey key, Instant accessed) throws IOException {
        run(Script.TOUCH, key, keys(key), List.of(millis(accessed), digest(key)));
    }

    @Override
    public boolean delete(SessionKey key) throws IOException {
        return run(Script.DELETE, key, keys(key), List.of(digest(key))).is("deleted");
    }

    @Override
    public boolean deleteExpired(SessionKey key, Instant now) throws IOException {
        return run(Script.DELETE_EXPIRED, key, keys(key), List.of(millis(now), digest(key)))
                .is("deleted");
    }

    /** Each call begins with another shard, so that one that always has many does not keep others from their turn. */
    @Override
    public Collection<SessionKey> expired(Instant now, int most) throws IOException {
        List<byte[]> indexes = new ArrayList<>();
        int first = firstShard.getAndIncrement();
        for (int i = 0; i < SessionNames.SHARDS; i++) {
            indexes.add(names.index(Math.floorMod(first + i, SessionNames.SHARDS)));
        }
        List<SessionKey> found = new ArrayList<>();
        if (redis.reach() == Redis.Reach.ALL_KEYS) {
            search(indexes, now, most, found);
            return found;
        }
        for (byte[] index : indexes) {
            if (found.size() < most) {
                search(List.of(index), now, most - found.size(), found);
            }
        }
        return found;
    }

    private void search(List<byte[]> indexes, Instant now, int most, List<SessionKey> found) throws IOException {
        Object reply = redis.run(Script.EXPIRED, indexes, List.of(millis(now), number(most), millis(now.plus(LEASE))));
        if (!(reply instanceof List<?> lists)
                || lists.size() != 2
                || !(lists.get(0) instanceof List<?> digests)
                || !(lists.get(1) instanceof List<?> problems)) {
            throw new IOException("Redis gives no list of expired sessions");
        }
        for (Object digest : digests) {
            found.add(SessionNames.key(new String((byte[]) digest, StandardCharsets.US_ASCII)));
        }
        for (Object problem : problems) {
            log(new String((byte[]) problem, StandardCharsets.UTF_8));
        }
    }

    /** Once for each key. */
    private void log(String problem) {
        if (logged.size() < PROBLEMS_LOGGED && logged.add(problem)) {
            LOG.warn("What Redis has is no session, and does not expire by itself: {}", problem);
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

    private static byte[] millis(Instant time) {
        return number(time.toEpochMilli());
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
