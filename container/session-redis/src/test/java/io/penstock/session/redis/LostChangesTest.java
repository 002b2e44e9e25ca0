package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import io.penstock.store.StaleSessionException;
import io.penstock.store.StoredSession;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/**
 * Tests changes that Redis has lost. Redis is killed before it has written the latest change to disk. After the restart, Redis has an older
 * version of the session than the servers know.
 */
@NeedsProgram(Program.REDIS_SERVER)
final class LostChangesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final SessionKey KEY = SessionKey.of("one");

    private RedisServer redis;
    private SessionStores stores;
    private SessionStore store;

    /** The change from version 1 to version 2. Redis loses this change. */
    private SessionChange lost;

    @BeforeEach
    void loseTheSecondChange() throws Exception {
        redis = RedisServer.start();
        open("last-wins");
        assertEquals(OptionalLong.of(1), store.save(set(0, 0, "name", 1)));
        try (Jedis jedis = new Jedis("127.0.0.1", redis.port())) {
            jedis.save();
        }
        lost = set(1, 0, "name", 2);
        assertEquals(OptionalLong.of(2), store.save(lost));
        redis.kill();
        redis.startAgain();
    }

    private void open(String conflict) throws IOException {
        stores = RedisSessions.open("redis://127.0.0.1:" + redis.port() + "?timeout=60s&conflict=" + conflict);
        store = stores.of("/");
    }

    @AfterEach
    void stop() throws IOException {
        stores.close();
        redis.close();
    }

    private static SessionChange set(long base, long baseMark, String name, int value) {
        Map<String, byte[]> written = Map.of(name, new byte[] {(byte) value});
        return new SessionChange(
                KEY, KEY, base, baseMark, SessionChange.newMark(), NOW, NOW, 60, false, written, Set.of());
    }

    private int value(String name) throws IOException {
        return store.load(KEY, 0).orElseThrow().attributes().get(name)[0];
    }

    @Test
    void twoDifferentVersionsWithTheSameNumberAreDistinguished() throws IOException {
        SessionChange another = set(1, 0, "name", 3);
        assertEquals(OptionalLong.of(2), store.save(another));
        for (long known : new long[] {0, 2}) {
            StoredSession found = store.load(KEY, known).orElseThrow();
            assertEquals(2, found.version());
            assertFalse(found.isAt(2, lost.mark()));
            assertTrue(found.isAt(2, another.mark()));
        }
    }

    @Test
    void aChangeBasedOnALostVersionIsMergedWithTheNewVersionInRedis() throws IOException {
        assertEquals(OptionalLong.of(2), store.save(set(1, 0, "name", 3)));
        assertEquals(
                OptionalLong.of(4),
                store.save(set(2, lost.mark(), "other", 4)),
                "the new version; the number 3 is left out, because two versions had the number 2");
        assertEquals(3, value("name"));
        assertEquals(4, value("other"));
    }

    @Test
    void aChangeBasedOnALostVersionIsSavedIfRedisHasOnlyAnOlderVersion() throws IOException {
        assertEquals(OptionalLong.of(4), store.save(set(2, lost.mark(), "other", 4)));
        assertEquals(1, value("name"));
        SessionChange next = set(4, 0, "name", 5);
        assertEquals(OptionalLong.of(5), store.save(next));
        assertEquals(OptionalLong.of(6), store.save(set(5, next.mark(), "other", 6)), "the version after a save");
    }

    @Test
    void aChangeBasedOnALostVersionIsRefusedIfTheOptionConflictHasTheValueRefuse() throws IOException {
        stores.close();
        open("refuse");
        SessionChange change = set(2, lost.mark(), "other", 4);
        assertThrows(StaleSessionException.class, () -> store.save(change));
        assertEquals(OptionalLong.of(2), store.save(set(1, 0, "name", 3)));
        assertThrows(StaleSessionException.class, () -> store.save(change));
        assertEquals(
                Set.of("name"), store.load(KEY, 0).orElseThrow().attributes().keySet());
    }
}
