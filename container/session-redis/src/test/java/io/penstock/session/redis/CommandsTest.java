package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/**
 * Tests which Redis commands each call of the store runs. The test reads the counters of Redis. Redis counts each run of a script, and also
 * each command within a script. Each run of a script is one round trip to Redis.
 */
@NeedsProgram(Program.REDIS_SERVER)
final class CommandsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final SessionKey KEY = SessionKey.of("1");
    private static final SessionKey NEXT = SessionKey.of("2");

    private RedisServer redis;
    private Jedis jedis;
    private SessionStores stores;
    private SessionStore store;

    /** Runs each script once, so that Redis has loaded all scripts before the test begins. */
    @BeforeEach
    void saveASessionAndLoadAllScripts() throws IOException {
        redis = RedisServer.start();
        jedis = new Jedis("127.0.0.1", redis.port());
        stores = RedisSessions.open("redis://127.0.0.1:" + redis.port() + "?timeout=60s");
        store = stores.of("/");
        store.save(change(KEY, KEY, 0));
        store.touch(KEY, NOW);
        store.expired(NOW, 1);
        store.deleteExpired(KEY, NOW);
        store.delete(NEXT);
    }

    @AfterEach
    void stop() throws IOException {
        stores.close();
        jedis.close();
        redis.close();
    }

    private static SessionChange change(SessionKey former, SessionKey key, long base) {
        return new SessionChange(
                former, key, base, NOW, NOW.plusSeconds(base), 60, Map.of("name", new byte[] {(byte) base}), Set.of());
    }

    private interface Step {
        void run() throws IOException;
    }

    private Map<String, Integer> commands(Step step) throws IOException {
        jedis.configResetStat();
        step.run();
        Map<String, Integer> commands = new TreeMap<>();
        Matcher counted = Pattern.compile("cmdstat_([a-z]+):calls=(\\d+)").matcher(jedis.info("commandstats"));
        while (counted.find()) {
            commands.put(counted.group(1), Integer.valueOf(counted.group(2)));
        }
        commands.keySet().removeIf(command -> command.startsWith("config") || command.equals("ping"));
        return commands;
    }

    @Test
    void aLoadOrASaveUsesOnlyTheRedisHashOfTheSession() throws IOException {
        assertEquals(
                Map.of("evalsha", 1, "hmget", 1),
                commands(() -> assertTrue(store.load(KEY, 1).isPresent())));
        assertEquals(
                Map.of("evalsha", 1, "hmget", 1, "hset", 1),
                commands(() -> assertEquals(OptionalLong.of(2), store.save(change(KEY, KEY, 1)))));
        SessionChange removal =
                new SessionChange(KEY, KEY, 2, NOW, NOW, 60, Map.of("a", new byte[1]), Set.of("name", "b"));
        assertEquals(
                Map.of("evalsha", 1, "hmget", 1, "hset", 1, "hdel", 1),
                commands(() -> assertEquals(OptionalLong.of(3), store.save(removal))));
    }

    @Test
    void eachCallOfTheStoreRunsOneScript() throws IOException {
        assertEquals(1, commands(() -> store.load(KEY, 0)).get("evalsha"));
        assertEquals(1, commands(() -> store.touch(KEY, NOW.plusSeconds(1))).get("evalsha"));
        assertEquals(1, commands(() -> store.save(change(KEY, NEXT, 1))).get("evalsha"));
        assertEquals(1, commands(() -> store.expired(NOW.plusSeconds(100), 10)).get("evalsha"));
        assertEquals(
                1,
                commands(() -> assertTrue(store.deleteExpired(NEXT, NOW.plusSeconds(100))))
                        .get("evalsha"));
        assertEquals(1, commands(() -> store.delete(NEXT)).get("evalsha"));
        assertEquals(1, commands(() -> store.save(change(KEY, KEY, 0))).get("evalsha"));
    }

    @Test
    void aSaveAfterAChangeByAnotherServerRunsTwoScripts() throws IOException {
        store.save(change(KEY, KEY, 1));
        assertEquals(
                2,
                commands(() -> assertEquals(OptionalLong.of(3), store.save(change(KEY, KEY, 1))))
                        .get("evalsha"));
    }
}
