package io.penstock.session.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import io.penstock.store.StoreUnavailableException;
import io.penstock.store.StoredSession;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests late saves. A server sends a save, but Redis receives the save only after the time-out of the server. If another server has changed
 * the session meanwhile, the late save must not replace this change.
 */
@NeedsProgram(Program.REDIS_SERVER)
final class LateSaveTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final SessionKey KEY = SessionKey.of("one");

    private RedisServer redis;
    private LossyProxy proxy;

    @BeforeEach
    void start() throws IOException {
        redis = RedisServer.start();
        proxy = new LossyProxy(redis.port());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        redis.close();
    }

    private static SessionChange set(long base, String name, int value) {
        return new SessionChange(KEY, KEY, base, NOW, NOW, 60, Map.of(name, new byte[] {(byte) value}), Set.of());
    }

    private void assertSession(SessionStore store, long version, int value) throws IOException {
        StoredSession found = store.load(KEY, 0).orElseThrow();
        assertEquals(version, found.version());
        assertArrayEquals(new byte[] {(byte) value}, found.attributes().get("name"));
    }

    private void forwardDelayedRequests(int replies) {
        proxy.release();
        Awaitility.await().until(() -> proxy.repliesToDelayed() == replies);
    }

    @ParameterizedTest
    @ValueSource(strings = {"last-wins", "refuse"})
    void aLateSaveDoesNotReplaceASaveOfAnotherServer(String conflict) throws Exception {
        String options = "&conflict=" + conflict;
        try (SessionStores slow = RedisSessions.open("redis://127.0.0.1:" + proxy.port() + "?timeout=2s" + options);
                SessionStores direct =
                        RedisSessions.open("redis://127.0.0.1:" + redis.port() + "?timeout=60s" + options)) {
            SessionStore one = slow.of("/");
            SessionStore other = direct.of("/");
            assertEquals(OptionalLong.of(1), one.save(set(0, "name", 1)));

            proxy.delayRequest(1);
            assertThrows(StoreUnavailableException.class, () -> one.save(set(1, "name", 2)));
            assertEquals(OptionalLong.of(2), other.save(set(1, "name", 3)));
            forwardDelayedRequests(1);
            assertSession(other, 2, 3);

            assertEquals(OptionalLong.of(3), other.save(set(2, "other", 1)));
            proxy.delayRequest(2);
            assertThrows(
                    StoreUnavailableException.class,
                    () -> one.save(set(2, "name", 4)),
                    "this save needs two requests, and the proxy delays the second request");
            assertEquals(OptionalLong.of(4), other.save(set(3, "name", 5)));
            forwardDelayedRequests(2);
            assertSession(other, 4, 5);
        }
    }

    /** Here, no other server has changed the session. So the late save takes effect, although the server has reported a failure. */
    @ParameterizedTest
    @ValueSource(strings = {"last-wins", "refuse"})
    void aLateSaveWithoutAConflictTakesEffectOnce(String conflict) throws Exception {
        try (SessionStores slow =
                RedisSessions.open("redis://127.0.0.1:" + proxy.port() + "?timeout=2s&conflict=" + conflict)) {
            SessionStore one = slow.of("/");
            assertEquals(OptionalLong.of(1), one.save(set(0, "name", 1)));
            proxy.delayRequest(1);
            SessionChange change = set(1, "name", 2);
            assertThrows(StoreUnavailableException.class, () -> one.save(change));
            forwardDelayedRequests(1);
            assertSession(one, 2, 2);
            assertEquals(OptionalLong.of(2), one.save(change), "the store must recognize the repeated change");
            assertSession(one, 2, 2);
        }
    }
}
