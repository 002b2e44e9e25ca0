package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.AttributeTable.OfOneAttribute;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests lost replies. A connection fails after Redis has run a script, and before the reply has arrived. The server sends the script again,
 * but the second run must have no effect.
 */
@NeedsProgram(Program.REDIS_SERVER)
final class LostReplyTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private RedisServer redis;
    private LossyProxy proxy;

    @BeforeEach
    void start() throws IOException {
        redis = RedisServer.start();
        proxy = new LossyProxy(redis.port());
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        proxy.close();
        redis.close();
    }

    private static SessionChange change(SessionKey former, SessionKey key, long base, int value) {
        return new SessionChange(
                former, key, base, NOW, NOW, 60, Map.of("name", new byte[] {(byte) value}), Set.of("gone"));
    }

    @ParameterizedTest
    @EnumSource(OfOneAttribute.class)
    void aCallTakesEffectOnlyOnceIfItIsRepeatedAfterALostReply(OfOneAttribute conflict) throws Exception {
        try (SessionStores stores = RedisSessions.open("redis://127.0.0.1:" + proxy.port() + Options.of(conflict))) {
            SessionStore store = stores.of("/");
            SessionKey key = SessionKey.of("one");
            SessionKey next = SessionKey.of("other");
            proxy.loseNextReply();
            assertEquals(OptionalLong.of(1), store.save(change(key, key, 0, 1)), "the version of a new session");
            proxy.loseNextReply();
            assertEquals(OptionalLong.of(2), store.save(change(key, key, 1, 2)), "the version after a change");
            proxy.loseNextReply();
            assertEquals(OptionalLong.of(3), store.save(change(key, next, 2, 3)), "the version after an id change");
            proxy.loseNextReply();
            assertEquals(3, store.load(next, 0).orElseThrow().version());
            assertTrue(store.load(key, 0).isEmpty());
            proxy.loseNextReply();
            store.touch(next, NOW.plusSeconds(1));
            assertEquals(NOW.plusSeconds(1), store.load(next, 0).orElseThrow().accessed());
            assertEquals(5, proxy.lost());
        }
    }
}
