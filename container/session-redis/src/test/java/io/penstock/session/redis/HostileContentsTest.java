package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import io.penstock.store.StaleSessionException;
import io.penstock.store.StoreUnavailableException;
import io.penstock.store.StoredSession;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/**
 * Tests invalid data that another program has written into Redis. The invalid data of a session must not affect other sessions. Also tests
 * the expiry of sessions in Redis.
 */
@NeedsProgram(Program.REDIS_SERVER)
final class HostileContentsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);
    private static final SessionNames NAMES = new SessionNames("penstock", "/");

    private static RedisServer redis;
    private Jedis jedis;
    private SessionStores stores;
    private SessionStore store;

    @BeforeAll
    static void start() throws IOException {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        redis.close();
    }

    @BeforeEach
    void open() throws IOException {
        jedis = new Jedis("127.0.0.1", redis.port());
        jedis.flushAll();
        stores = RedisSessions.open("redis://127.0.0.1:" + redis.port() + "?timeout=60s&conflict=refuse");
        store = stores.of("/");
    }

    @AfterEach
    void close() throws IOException {
        stores.close();
        jedis.close();
    }

    private static SessionChange change(SessionKey key, long base) {
        return new SessionChange(key, key, base, NOW, NOW, 60, Map.of("name", new byte[] {1}), Set.of("gone"));
    }

    private SessionKey saveSession(String id) throws IOException {
        SessionKey key = SessionKey.of(id);
        store.save(change(key, 0));
        return key;
    }

    private static String name(SessionKey key) {
        return new String(NAMES.session(key));
    }

    /**
     * Returns the name of the index for a session. The sessions are divided into shards. Each shard has an index, which contains the
     * expiry times of its sessions.
     */
    private static String index(SessionKey key) {
        return new String(NAMES.index(key));
    }

    private List<SessionKey> expired(Instant now, int most) throws IOException {
        return store.expired(now, most).stream().map(StoredSession::key).toList();
    }

    /** A change of the value of a key in Redis. */
    private interface Write {
        void to(Jedis jedis, String name);
    }

    /** Returns invalid contents of a session. A server notices these contents at each load and save. */
    static Stream<Arguments> contents() {
        return Stream.of(
                write("a string instead of a hash", (jedis, name) -> {
                    jedis.del(name);
                    jedis.set(name, "text");
                }),
                write("a list instead of a hash", (jedis, name) -> {
                    jedis.del(name);
                    jedis.rpush(name, "1", "2");
                }),
                write("no version", (jedis, name) -> jedis.hdel(name, "version")),
                write("no time of last use", (jedis, name) -> jedis.hdel(name, "accessed")),
                write("a version that is a word", (jedis, name) -> jedis.hset(name, "version", "new")),
                write("a version with 400 digits", (jedis, name) -> jedis.hset(name, "version", "9".repeat(400))),
                write("an infinite time", (jedis, name) -> jedis.hset(name, "accessed", "inf")),
                write("a hexadecimal time", (jedis, name) -> jedis.hset(name, "accessed", "0x7fffffffffff")),
                write("a time-out that is not a number", (jedis, name) -> jedis.hset(name, "interval", "nan")));
    }

    /** Returns invalid contents of a session. A server notices these contents only when it reads all attributes. */
    static Stream<Arguments> attributes() {
        return Stream.of(
                write("an attribute without a version", (jedis, name) -> jedis.hset(name, "a:name", "value")),
                write(
                        "a name with an incomplete UTF-8 character",
                        (jedis, name) ->
                                jedis.hset(name.getBytes(), new byte[] {'a', ':', (byte) 0xc3}, "1:x".getBytes())),
                write(
                        "a name with an incomplete UTF-16 unit",
                        (jedis, name) -> jedis.hset(name.getBytes(), new byte[] {'u', ':', 0, 1, 2}, "1:x".getBytes())),
                write("a time-out of centuries", (jedis, name) -> jedis.hset(name, "interval", "99999999999")),
                write("attributes of more than 64 MB", (jedis, name) -> {
                    for (int i = 0; i < 9; i++) {
                        jedis.hset(name, "a:" + i, "1:" + "x".repeat(8 * 1024 * 1024));
                    }
                }));
    }

    private static Arguments write(String what, Write write) {
        return Arguments.of(Named.of(what, write));
    }

    /** The search for expired sessions reads the id of each expired session. In this test, the id of one session is invalid. */
    @Test
    void anInvalidIdDoesNotPreventTheExpiryOfOtherSessions() throws IOException {
        SessionKey key = saveSession("hostile");
        SessionKey other = saveSession("other");
        jedis.hset(name(key), "a:" + StoredSession.ID, "no version");
        assertEquals(List.of(other), expired(LATER, 10));
    }

    @ParameterizedTest
    @MethodSource({"contents", "attributes"})
    void anUnreadableSessionDoesNotAffectOtherSessions(Write write) throws IOException {
        SessionKey key = saveSession("hostile");
        SessionKey other = saveSession("other");
        write.to(jedis, name(key));
        assertUnreadable(() -> store.load(key, 0));
        assertTrue(store.load(other, 0).isPresent());
        store.delete(key);
        assertTrue(store.load(key, 0).isEmpty(), "the unreadable session was not deleted");
        assertEquals(1, store.save(change(key, 0)).orElseThrow(), "the version of the new session");
    }

    @ParameterizedTest
    @MethodSource("contents")
    void anUnreadableSessionIsNotChanged(Write write) throws IOException {
        SessionKey key = saveSession("hostile");
        write.to(jedis, name(key));
        byte[] before = jedis.dump(name(key));
        assertUnreadable(() -> store.save(change(key, 1)));
        assertUnreadable(() -> store.touch(key, LATER));
        assertUnreadable(
                () -> store.save(new SessionChange(key, SessionKey.of("next"), 1, NOW, NOW, 60, Map.of(), Set.of())));
        assertArrayEquals(before, jedis.dump(name(key)));
    }

    @ParameterizedTest
    @MethodSource("contents")
    void anUnreadableSessionDoesNotPreventTheExpiryOfOtherSessions(Write write) throws IOException {
        SessionKey key = saveSession("hostile");
        SessionKey other = saveSession("other");
        write.to(jedis, name(key));
        assertUnreadable(() -> store.deleteExpired(key, LATER));
        jedis.zadd(index(key), 1, key.digest());
        jedis.zadd(index(key), 2, "no digest");
        jedis.zadd(index(key), 3, SessionKey.of("nobody's").digest());
        assertEquals(List.of(other), expired(LATER, 10));
        assertTrue(store.deleteExpired(other, LATER));
        assertEquals(0, jedis.zcard(index(key)), "the index is not empty");
        assertTrue(store.expired(LATER.plus(Duration.ofHours(1)), 10).isEmpty());
    }

    @Test
    void anInvalidIndexOfAShardDoesNotAffectOtherShards() throws IOException {
        SessionKey key = saveSession("hostile");
        SessionKey other = saveSession("other");
        assertFalse(index(key).equals(index(other)));
        jedis.del(index(key));
        jedis.set(index(key), "text");
        assertEquals(List.of(other), expired(LATER, 10));
        SessionChange longer = new SessionChange(key, key, 1, NOW, NOW, 120, Map.of(), Set.of());
        assertThrows(IOException.class, () -> store.save(longer), "the save did not report the invalid index");
        assertEquals(1, store.load(key, 0).orElseThrow().version(), "the version after the failed save");
    }

    @Test
    void anInvalidListOfRemovedAttributesPreventsAChange() throws IOException {
        SessionKey key = saveSession("hostile");
        jedis.hset(name(key), "removed", "\u00c1 no list");
        assertUnreadable(() -> store.save(change(key, 1)));
        assertEquals(1, store.load(key, 0).orElseThrow().version());
    }

    /**
     * Each session has a list of its removed attributes. After many removals, the list no longer contains the oldest removals. A change is
     * refused if it might conflict with a removal that the list no longer contains.
     */
    @Test
    void aChangeIsRefusedIfItMayConflictWithARemovalThatIsNoLongerListed() throws IOException {
        SessionKey key = saveSession("long");
        for (int i = 1; i <= 100; i++) {
            store.save(new SessionChange(key, key, i, NOW, NOW, 60, Map.of(), Set.of("name" + i)));
        }
        assertTrue(jedis.hget(name(key), "removed").length() < 2000);
        assertThrows(
                StaleSessionException.class,
                () -> store.save(new SessionChange(key, key, 1, NOW, NOW, 60, Map.of("name1", new byte[0]), Set.of())));
        assertEquals(
                102,
                store.save(new SessionChange(key, key, 101, NOW, NOW, 60, Map.of("name1", new byte[0]), Set.of()))
                        .orElseThrow());
    }

    private interface Call {
        void run() throws IOException;
    }

    /** Checks that the call fails, and that the exception does not mean that Redis is unavailable. */
    private static void assertUnreadable(Call call) {
        IOException failure = assertThrows(IOException.class, call::run);
        assertFalse(failure instanceof StoreUnavailableException, failure.toString());
    }

    /** A write of the expiry time costs as much as a change. So the store writes the expiry time at most once in twelve hours. */
    @Test
    void theExpiryTimeOfAUsedSessionIsExtendedInRedisAtMostOnceInTwelveHours() throws IOException {
        SessionKey key = saveSession("used");
        Instant noon = NOW.plus(Duration.ofHours(12));
        jedis.expire(name(key), 7);
        store.touch(key, noon.minusMillis(1));
        assertTrue(jedis.ttl(name(key)) <= 7, "the expiry time was written again within the same twelve hours");
        store.touch(key, noon);
        assertTrue(jedis.ttl(name(key)) > Duration.ofHours(24).toSeconds() + 60);
        jedis.expire(name(key), 7);
        store.save(new SessionChange(key, key, 1, NOW, noon.plusSeconds(1), 60, Map.of(), Set.of()));
        assertTrue(jedis.ttl(name(key)) <= 7);
        store.save(new SessionChange(key, key, 2, NOW, noon.plus(Duration.ofHours(12)), 60, Map.of(), Set.of()));
        assertTrue(jedis.ttl(name(key)) > Duration.ofHours(24).toSeconds() + 60);
    }

    /**
     * If a request only extends a session, the index keeps the earlier end of the session. The search for expired sessions then corrects
     * the index.
     */
    @Test
    void theIndexIsNotChangedByARequestThatExtendsASession() throws IOException {
        SessionKey key = saveSession("used");
        double end = LATER.toEpochMilli();
        store.touch(key, NOW.plusSeconds(10));
        store.save(new SessionChange(key, key, 1, NOW, NOW.plusSeconds(20), 60, Map.of(), Set.of()));
        assertEquals(end, jedis.zscore(index(key), key.digest()));
        assertEquals(List.of(), expired(LATER, 10));
        assertEquals(end + 20_000, jedis.zscore(index(key), key.digest()));
        store.save(new SessionChange(key, key, 2, NOW, NOW.plusSeconds(20), 30, Map.of(), Set.of()));
        assertEquals(end - 10_000, jedis.zscore(index(key), key.digest()), "the end after a shorter time-out");
    }

    @Test
    void redisDeletesAnExpiredSessionThatNoServerDeletes() throws IOException {
        SessionKey key = saveSession("left");
        SessionKey forEver = SessionKey.of("for ever");
        store.save(new SessionChange(forEver, forEver, 0, NOW, NOW, 0, Map.of(), Set.of()));
        long most = Duration.ofHours(36).toSeconds() + 60;
        assertTrue(jedis.ttl(name(key)) > most - 60 && jedis.ttl(name(key)) <= most);
        assertTrue(jedis.ttl(index(key)) > most, "the index expires before the session");
        assertEquals(-1, jedis.ttl(name(forEver)));
        store.save(new SessionChange(key, key, 1, NOW, NOW, 0, Map.of(), Set.of()));
        assertEquals(-1, jedis.ttl(name(key)), "a session without a time-out must not expire");
    }
}
