package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests concurrent requests of one session. During the requests, the session ends or its id changes. */
final class ConcurrentSessionTest {
    private static final int ROUNDS = 300;

    private final SessionFixture fixture = new SessionFixture();
    private final SessionManager manager = fixture.manager;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    @AfterEach
    void stopThreads() throws InterruptedException {
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS));
    }

    private <T> List<T> runConcurrently(int count, Callable<T> call) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(threads.submit(() -> {
                start.await();
                return call.call();
            }));
        }
        start.countDown();
        List<T> results = new ArrayList<>();
        for (Future<T> each : running) {
            results.add(each.get(60, TimeUnit.SECONDS));
        }
        return results;
    }

    @Test
    void anExpiredSessionEndsOnlyOnceIfSeveralThreadsLookUpTheSession() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            fixture.diary.clear();
            WebSession session = manager.create();
            session.setMaxInactiveInterval(60);
            manager.leave(session);
            fixture.pass(Duration.ofSeconds(60));
            List<Boolean> found = runConcurrently(4, () -> manager.find(session.getId()) != null);
            assertFalse(found.contains(true));
            assertEquals(List.of("created", "destroyed with []"), fixture.diary);
            assertTrue(fixture.store.transientIds().isEmpty());
        }
    }

    @Test
    void aSessionExpiresAfterManyConcurrentRequests() throws Exception {
        WebSession session = manager.create();
        manager.leave(session);
        runConcurrently(4, () -> {
            for (int i = 0; i < ROUNDS; i++) {
                WebSession joined = manager.find(session.getId());
                assertEquals(session, joined);
                manager.leave(session);
            }
            return true;
        });
        fixture.pass(Duration.ofDays(1));
        fixture.expire();
        assertFalse(session.isValid(), "the session has not expired, although no request uses the session");
    }

    @Test
    void onlyTheCurrentIdIsValidAfterSeveralThreadsHaveChangedTheSessionId() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            WebSession session = manager.create();
            String old = session.getId();
            manager.leave(session);
            runConcurrently(3, () -> {
                WebSession joined = manager.find(old);
                if (joined != null) {
                    manager.changeId(joined);
                    manager.leave(joined);
                }
                return true;
            });
            assertNull(manager.find(old));
            assertEquals(session, manager.find(session.getId()));
            manager.leave(session);
            assertEquals(List.of(session.getId()), List.copyOf(fixture.store.transientIds()));
            session.invalidate();
        }
    }

    @Test
    void aSessionIsNotStoredIfAnotherThreadInvalidatesItWhileItsFirstRequestEnds() throws Exception {
        AtomicReference<WebSession> created = new AtomicReference<>();
        AtomicReference<Thread> invalidating = new AtomicReference<>();
        MemorySessions stored = new MemorySessions();
        InvocationHandler handler = (proxy, method, args) -> {
            if (method.getName().equals("release")) {
                Thread other = new Thread(created.get()::invalidate);
                invalidating.set(other);
                other.start();
                // The present thread has the lock of the session, so the other thread must wait somewhere.
                while (other.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
            return method.invoke(stored, args);
        };
        SessionRepository repository = (SessionRepository) Proxy.newProxyInstance(
                SessionRepository.class.getClassLoader(), new Class<?>[] {SessionRepository.class}, handler);
        SessionFixture raced = new SessionFixture(repository, Instant.parse("2026-01-01T00:00:00Z"));
        WebSession session = raced.manager.create();
        created.set(session);
        raced.manager.leave(session);
        invalidating.get().join();
        assertFalse(session.isValid());
        assertEquals(List.of("created", "destroyed with []"), raced.diary);
        assertEquals(List.of(), List.copyOf(stored.transientIds()));
        assertNull(raced.manager.find(session.getId()));
    }
}
