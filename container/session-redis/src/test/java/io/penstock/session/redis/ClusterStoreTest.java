package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.AttributeTable.OfOneAttribute;
import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStoreContract;
import io.penstock.store.SessionStores;
import io.penstock.store.StoreUnavailableException;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Tests the contract of session stores with a cluster of three Redis nodes. */
@NeedsProgram(Program.REDIS_SERVER)
final class ClusterStoreTest extends SessionStoreContract {
    private static RedisCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        cluster.close();
    }

    @Override
    protected SessionStores open(OfOneAttribute conflict) throws IOException {
        return RedisSessions.open("redis-cluster://" + cluster.hosts() + Options.of(conflict));
    }

    @Test
    void sessionsAreDistributedToAllNodes() throws Exception {
        try (SessionStores stores = open(OfOneAttribute.LATER_WINS)) {
            SessionStore store = stores.of("/" + UUID.randomUUID());
            Instant now = Instant.parse("2026-01-01T00:00:00Z");
            for (int i = 0; i < 300; i++) {
                SessionKey key = SessionKey.of("spread" + i);
                store.save(new SessionChange(key, key, 0, now, now, 60, Map.of(), Set.of()));
            }
            assertEquals(300, store.expired(now.plusSeconds(60), 1000).size());
        }
        for (int port : cluster.ports()) {
            try (Jedis node = new Jedis("127.0.0.1", port)) {
                assertTrue(node.dbSize() > 30, "a node has " + node.dbSize() + " keys");
            }
        }
    }

    @Test
    void aPausedNodeMakesOnlyAPartOfTheSessionsUnavailable() throws Exception {
        try (SessionStores stores = RedisSessions.open("redis-cluster://" + cluster.hosts() + "?timeout=1s")) {
            SessionStore store = stores.of("/paused");
            int answered = 0;
            int unavailable = 0;
            cluster.first().pause();
            try {
                for (int i = 0; i < 9; i++) {
                    try {
                        assertTrue(store.load(SessionKey.of("any" + i), 0).isEmpty());
                        answered++;
                    } catch (StoreUnavailableException e) {
                        unavailable++;
                    }
                }
            } finally {
                cluster.first().resume();
            }
            assertTrue(answered > 0 && unavailable > 0, answered + " calls succeeded, " + unavailable + " failed");
        }
    }

    @Test
    void expiredSessionsOfOtherNodesAreFoundWhileANodeIsPaused() throws Exception {
        try (SessionStores patient = open(OfOneAttribute.LATER_WINS);
                SessionStores stores = RedisSessions.open("redis-cluster://" + cluster.hosts() + "?timeout=1s")) {
            SessionStore store = stores.of("/ends");
            Instant now = Instant.parse("2026-01-01T00:00:00Z");
            for (int i = 0; i < 300; i++) {
                SessionKey key = SessionKey.of("ends" + i);
                patient.of("/ends").save(new SessionChange(key, key, 0, now, now, 60, Map.of(), Set.of()));
            }
            cluster.first().pause();
            int found = 0;
            try {
                for (int i = 0; i < 5; i++) {
                    found += expired(store, now.plusSeconds(60));
                }
            } finally {
                cluster.first().resume();
            }
            assertTrue(found > 0, "no expired session of the other nodes was found");
        }
    }

    /** Returns the number of expired sessions. The number is 0 if the search begins with sessions of the paused node. */
    private static int expired(SessionStore store, Instant now) throws IOException {
        try {
            return store.expired(now, 1000).size();
        } catch (StoreUnavailableException e) {
            return 0;
        }
    }

    /**
     * {@link DyingRedis} simulates that the process of Penstock ends during a change of the session id. This happens twice. The first time,
     * Penstock has not yet removed the former id. The second time, Penstock has removed the former id, but has not completed the session
     * with the new id.
     */
    @Test
    void aLoadWithTheNewIdCompletesAnInterruptedChangeOfTheSessionId() throws Exception {
        try (SessionStores stores = open(OfOneAttribute.LATER_WINS);
                ClusterRedis redis =
                        new ClusterRedis(RedisLocation.parse("redis-cluster://" + cluster.hosts() + "?timeout=60s"))) {
            SessionNames names = new SessionNames("penstock", "/dies");
            SessionStore store = stores.of("/dies");
            SessionKey former = SessionKey.of("former");
            SessionKey first = SessionKey.of("first");
            SessionKey key = SessionKey.of("new");
            Instant now = Instant.parse("2026-01-01T00:00:00Z");
            store.save(new SessionChange(former, former, 0, now, now, 60, Map.of("name", new byte[] {7}), Set.of()));
            DyingRedis dying = new DyingRedis(redis, Script.LEAVE);
            Map<String, byte[]> written = Map.of("id", new byte[] {8});
            assertThrows(
                    DyingRedis.Died.class, () -> new RedisSessionStore(dying, names, RedisLocation.Conflict.LAST_WINS)
                            .save(new SessionChange(former, first, 1, now, now, 60, written, Set.of())));
            assertTrue(store.load(former, 0).isPresent(), "the former id must still be valid");
            assertTrue(store.load(first, 0).isEmpty());

            DyingRedis later = new DyingRedis(redis, Script.SETTLE);
            assertThrows(
                    DyingRedis.Died.class, () -> new RedisSessionStore(later, names, RedisLocation.Conflict.LAST_WINS)
                            .save(new SessionChange(former, key, 1, now, now, 60, written, Set.of())));
            assertTrue(store.load(former, 0).isEmpty(), "the former id must no longer be valid");
            assertEquals(
                    Set.of("name", "id"),
                    store.load(key, 0).orElseThrow().attributes().keySet());
            assertEquals(1, store.expired(now.plusSeconds(60), 10).size());
        }
    }
}
