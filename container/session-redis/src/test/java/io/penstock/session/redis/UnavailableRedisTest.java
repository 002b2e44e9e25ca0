package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import io.penstock.store.StoreUnavailableException;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/**
 * Tests a session store when its Redis server is stopped, restarted, paused or full. Redis can also lose the scripts of the store, or
 * become a replica.
 */
@NeedsProgram(Program.REDIS_SERVER)
final class UnavailableRedisTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int THREADS = 8;

    private RedisServer redis;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @BeforeEach
    void start() throws IOException {
        redis = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        threads.shutdownNow();
        redis.close();
    }

    private SessionStores open(String options) throws IOException {
        return RedisSessions.open("redis://127.0.0.1:" + redis.port() + options);
    }

    private static SessionKey saveSession(SessionStore store, String id) throws IOException {
        SessionKey key = SessionKey.of(id);
        store.save(new SessionChange(key, key, 0, NOW, NOW, 60, Map.of("name", new byte[] {1}), Set.of()));
        return key;
    }

    private static OptionalLong change(SessionStore store, SessionKey key, long base) throws IOException {
        return store.save(new SessionChange(key, key, base, NOW, NOW, 60, Map.of("name", new byte[] {2}), Set.of()));
    }

    private <T> List<T> concurrently(Callable<T> job) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> future : threads.invokeAll(Collections.nCopies(THREADS, job))) {
            results.add(future.get());
        }
        return results;
    }

    /** A restart of Redis closes all connections of the pool. The next calls must open new connections. */
    @Test
    void noCallFailsAfterARestartOfRedis() throws Exception {
        try (SessionStores stores = open("?timeout=60s")) {
            SessionStore store = stores.of("/");
            SessionKey key = saveSession(store, "stays");
            concurrently(() -> store.load(key, 0));
            redis.kill();
            redis.startAgain();
            for (var found : concurrently(() -> store.load(key, 0))) {
                assertTrue(found.isPresent());
            }
            redis.kill();
            redis.startAgain();
            assertEquals(OptionalLong.of(2), change(store, key, 1));
        }
    }

    @Test
    void eachCallFailsUntilRedisIsStartedAgain() throws Exception {
        try (SessionStores stores = open("")) {
            SessionStore store = stores.of("/");
            SessionKey key = saveSession(store, "stays");
            redis.kill();
            StoreUnavailableException e = assertThrows(StoreUnavailableException.class, () -> store.load(key, 0));
            String address = "127.0.0.1:" + redis.port();
            assertEquals("Redis at " + address + " is not available: Failed to connect to " + address, e.getMessage());
            assertThrows(StoreUnavailableException.class, () -> change(store, key, 1));
            assertThrows(StoreUnavailableException.class, () -> store.touch(key, NOW));
            assertThrows(StoreUnavailableException.class, () -> store.delete(key));
            assertThrows(StoreUnavailableException.class, () -> store.expired(NOW, 10));
            assertThrows(StoreUnavailableException.class, () -> store.deleteExpired(key, NOW));
            redis.startAgain();
            assertEquals(1, store.load(key, 0).orElseThrow().version());
        }
    }

    @Test
    void aServerCanStartWithoutRedisAndUseRedisLater() throws Exception {
        redis.kill();
        try (SessionStores stores = open("?timeout=60s")) {
            SessionStore store = stores.of("/");
            redis.startAgain();
            assertEquals(
                    1, store.load(saveSession(store, "first"), 0).orElseThrow().version());
        }
    }

    /**
     * Without a time-out, a call to a paused Redis would never return. The test does not check how long the calls take, because the
     * machine may be busy.
     */
    @Test
    void callsToAPausedRedisFailAfterTheTimeOut() throws Exception {
        try (SessionStores stores = open("?timeout=400ms&connections=2")) {
            SessionStore store = stores.of("/");
            SessionKey key = SessionKey.of("any");
            redis.pause();
            List<Boolean> unavailable = concurrently(() -> {
                assertThrows(StoreUnavailableException.class, () -> store.load(key, 0));
                return true;
            });
            assertEquals(THREADS, unavailable.size(), "the number of failed calls");
            redis.resume();
        }
        try (SessionStores stores = open("?timeout=60s")) {
            assertFalse(stores.of("/").load(SessionKey.of("any"), 0).isPresent());
        }
    }

    @Test
    void sessionsInAFullRedisCanBeReadButNotChanged() throws Exception {
        try (SessionStores stores = open("?timeout=60s");
                Jedis jedis = new Jedis("127.0.0.1", redis.port())) {
            SessionStore store = stores.of("/");
            SessionKey key = saveSession(store, "stays");
            jedis.configSet("maxmemory", "1");
            IOException full = assertThrows(StoreUnavailableException.class, () -> change(store, key, 1));
            assertTrue(full.getMessage().contains("OOM"), full.getMessage());
            assertTrue(store.load(key, 0).isPresent(), "existing sessions cannot be read");
            jedis.configSet("maxmemory", "0");
            assertEquals(OptionalLong.of(2), change(store, key, 1));
        }
    }

    @Test
    void scriptsAreSentAgainIfRedisHasLostThem() throws Exception {
        try (SessionStores stores = open("?timeout=60s");
                Jedis jedis = new Jedis("127.0.0.1", redis.port())) {
            SessionStore store = stores.of("/");
            SessionKey key = saveSession(store, "stays");
            jedis.scriptFlush();
            assertTrue(store.load(key, 0).isPresent());
            jedis.scriptFlush();
            assertEquals(OptionalLong.of(2), change(store, key, 1));
        }
    }

    @Test
    void aChangeFailsIfRedisHasBecomeAReplica() throws Exception {
        try (SessionStores stores = open("?timeout=60s");
                RedisServer master = RedisServer.start();
                Jedis jedis = new Jedis("127.0.0.1", redis.port())) {
            SessionStore store = stores.of("/");
            SessionKey key = saveSession(store, "stays");
            jedis.replicaof("127.0.0.1", master.port());
            assertThrows(StoreUnavailableException.class, () -> change(store, key, 1));
            jedis.replicaofNoOne();
        }
    }
}
