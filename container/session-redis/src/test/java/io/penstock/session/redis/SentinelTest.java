package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import io.penstock.store.StoreUnavailableException;
import io.penstock.testing.FreePort;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Tests Redis with Sentinel. In a failover, the master ends, and Sentinel makes a replica the new master. */
@NeedsProgram(Program.REDIS_SERVER)
final class SentinelTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void sessionsRemainAvailableAfterAFailover() throws Exception {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", "" + master.port());
                RedisServer sentinel = RedisServer.sentinel("""
                        sentinel monitor main 127.0.0.1 %d 1
                        sentinel down-after-milliseconds main 500
                        sentinel failover-timeout main 5000
                        """.formatted(master.port()));
                SessionStores stores = RedisSessions.open(
                        "redis-sentinel://127.0.0.1:" + sentinel.port() + "?master=main&timeout=4s")) {
            SessionStore store = stores.of("/");
            SessionKey key = SessionKey.of("stays");
            store.save(new SessionChange(key, key, 0, NOW, NOW, 60, Map.of("name", new byte[] {1}), Set.of()));
            try (Jedis jedis = new Jedis("127.0.0.1", master.port())) {
                Awaitility.await().until(() -> jedis.waitReplicas(1, 1000) == 1);
            }
            Awaitility.await().until(() -> sentinel.log().contains("+slave slave 127.0.0.1:" + replica.port()));
            master.kill();
            Awaitility.await().until(() -> isSaved(store, key));
            assertEquals(2, store.load(key, 0).orElseThrow().version());
            try (Jedis jedis = new Jedis("127.0.0.1", replica.port())) {
                assertEquals(1, jedis.keys("penstock:*:" + key).size());
            }
        }
    }

    private static boolean isSaved(SessionStore store, SessionKey key) throws IOException {
        try {
            assertEquals(
                    OptionalLong.of(2),
                    store.save(new SessionChange(key, key, 1, NOW, NOW, 60, Map.of("name", new byte[] {2}), Set.of())));
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    @Test
    void theStoreIsUnavailableIfNoSentinelCanBeReached() throws Exception {
        try (SessionStores stores =
                RedisSessions.open("redis-sentinel://127.0.0.1:" + FreePort.next() + "?master=main")) {
            SessionStore store = stores.of("/");
            assertThrows(StoreUnavailableException.class, () -> store.load(SessionKey.of("any"), 0));
        }
    }
}
