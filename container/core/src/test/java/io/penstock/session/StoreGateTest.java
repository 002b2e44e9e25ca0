package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that only a limited number of threads wait for a session store that does not respond. A thread passes the gate before it calls the
 * store.
 */
final class StoreGateTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();
    private final StoreGate gate = gate(Duration.ofSeconds(1));

    private StoreGate gate(Duration patience) {
        return new StoreGate(2, patience, now::get, refused::incrementAndGet);
    }

    @AfterEach
    void end() {
        answer.countDown();
        threads.shutdownNow();
    }

    private String await() throws IOException {
        try {
            assertTrue(answer.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return "answered";
    }

    private static String failAsUnavailable() throws IOException {
        throw new StoreUnavailableException("the store does not respond", null);
    }

    /** Starts calls that block in the store until the test counts {@code answer} down. Returns when all calls have passed the gate. */
    private List<Future<String>> blockedCalls(int count) {
        List<Future<String>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(threads.submit(() -> gate.call(this::await)));
        }
        Awaitility.await().until(() -> gate.threads() == count);
        return calls;
    }

    private void awaitWaiting(Thread thread) {
        Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    /** Starts a thread that waits at the gate. Sets {@code result} to 7 after a successful call, or to -1 if the gate refuses the call. */
    private Thread waitingCall(AtomicInteger result) {
        Thread waiting = new Thread(() -> {
            try {
                result.set(gate.call(() -> 7));
            } catch (IOException e) {
                result.set(-1);
            }
        });
        waiting.start();
        awaitWaiting(waiting);
        return waiting;
    }

    @Test
    void furtherCallsFailAtOnceIfTheStoreDoesNotRespond() throws Exception {
        List<Future<String>> calls = blockedCalls(2);
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThrows(StoreUnavailableException.class, () -> gate.call(() -> "not tried"));
        assertThrows(StoreUnavailableException.class, () -> gate.inside(() -> "not tried"));
        assertEquals(2, refused.get());
        answer.countDown();
        for (Future<String> call : calls) {
            assertEquals("answered", call.get());
        }
        assertEquals("tried", gate.call(() -> "tried"));
        assertEquals(0, gate.threads());
    }

    @Test
    void furtherCallsWaitAndSucceedIfTheStoreRespondsInTime() throws Exception {
        List<Future<String>> calls = blockedCalls(2);
        AtomicInteger result = new AtomicInteger();
        Thread waiting = waitingCall(result);
        answer.countDown();
        waiting.join();
        assertEquals(7, result.get());
        for (Future<String> call : calls) {
            assertEquals("answered", call.get());
        }
        assertEquals(0, refused.get());
    }

    @Test
    void timeWithoutCallsIsNotCountedAsTimeWithoutAResponse() throws Exception {
        gate.call(() -> "before");
        now.addAndGet(Duration.ofHours(1).toNanos());
        blockedCalls(2);
        Thread waiting = new Thread(() -> {
            try {
                gate.call(() -> 7);
            } catch (IOException e) {
                refused.incrementAndGet();
            }
        });
        waiting.start();
        awaitWaiting(waiting);
        assertEquals(0, refused.get());
        answer.countDown();
        waiting.join();
        assertEquals(0, refused.get());
    }

    @Test
    void onlyOneThreadAtATimeCallsAnUnavailableStore() throws Exception {
        assertThrows(StoreUnavailableException.class, () -> gate.call(StoreGateTest::failAsUnavailable));
        assertEquals(0, refused.get(), "the gate has refused the first call");
        List<Future<String>> probe = blockedCalls(1);
        now.addAndGet(StoreGate.TRY.toNanos());
        assertThrows(StoreUnavailableException.class, () -> gate.call(() -> "not tried"));
        assertEquals(1, refused.get());
        answer.countDown();
        assertEquals("answered", probe.get(0).get());
        assertTwoThreadsPass();
    }

    /** Asserts that two threads can pass the gate at the same time. */
    private void assertTwoThreadsPass() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        List<Future<String>> calls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            calls.add(threads.submit(() -> gate.inside(() -> {
                both.countDown();
                try {
                    return both.await(60, TimeUnit.SECONDS) ? "both" : "alone";
                } catch (InterruptedException e) {
                    return "interrupted";
                }
            })));
        }
        for (Future<String> call : calls) {
            assertEquals("both", call.get());
        }
    }

    @Test
    void waitingThreadsCallTheStoreWhenTheStoreRespondsAgain() throws Exception {
        assertThrows(StoreUnavailableException.class, () -> gate.call(StoreGateTest::failAsUnavailable));
        now.addAndGet(Duration.ofHours(1).toNanos());
        List<Future<String>> probe = blockedCalls(1);
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        Thread one = waitingCall(first);
        Thread two = waitingCall(second);
        assertThrows(
                StoreUnavailableException.class,
                () -> gate.call(() -> "not tried"),
                "the call of a third thread was not refused");
        assertEquals(1, refused.get());
        answer.countDown();
        one.join();
        two.join();
        assertEquals(7, first.get());
        assertEquals(7, second.get());
        assertEquals("answered", probe.get(0).get());
    }

    @Test
    void theStoreIsStillTreatedAsUnavailableAfterSeveralFailedCalls() {
        for (int i = 0; i < 3; i++) {
            assertThrows(StoreUnavailableException.class, () -> gate.call(StoreGateTest::failAsUnavailable));
        }
        List<Future<String>> probe = blockedCalls(1);
        now.addAndGet(StoreGate.TRY.toNanos());
        assertThrows(StoreUnavailableException.class, () -> gate.call(() -> "not tried"));
        answer.countDown();
        assertEquals(1, probe.size());
    }

    @Test
    void theStoreDoesNotBecomeAvailableAgainWhenACallThrowsAnIoException() throws Exception {
        assertThrows(StoreUnavailableException.class, () -> gate.call(StoreGateTest::failAsUnavailable));
        assertThrows(
                IOException.class,
                () -> gate.call(() -> {
                    throw new IOException("damaged");
                }));
        blockedCalls(1);
        now.addAndGet(StoreGate.TRY.toNanos());
        assertThrows(StoreUnavailableException.class, () -> gate.call(() -> "not tried"));
    }

    @Test
    void aThreadDoesNotCallAStoreThatBecameUnavailableWhileTheThreadWaitedForALock() throws Exception {
        CountDownLatch entered = new CountDownLatch(2);
        List<Future<String>> calls = new ArrayList<>();
        Object lockOfSession = new Object();
        AtomicInteger tried = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            calls.add(threads.submit(() -> gate.inside(() -> {
                entered.countDown();
                try {
                    await();
                    synchronized (lockOfSession) {
                        return gate.call(() -> {
                            tried.incrementAndGet();
                            return failAsUnavailable();
                        });
                    }
                } catch (IOException e) {
                    return e.getMessage();
                }
            })));
        }
        assertTrue(entered.await(60, TimeUnit.SECONDS));
        answer.countDown();
        List<String> results = new ArrayList<>();
        for (Future<String> call : calls) {
            results.add(call.get());
        }
        assertEquals(1, tried.get(), results.toString());
        assertEquals(1, refused.get());
    }

    @Test
    void aCallFailsIfItHasWaitedTooLong() throws Exception {
        List<Future<String>> calls = blockedCalls(2);
        AtomicInteger result = new AtomicInteger();
        Thread waiting = waitingCall(result);
        now.addAndGet(Duration.ofSeconds(60).toNanos());
        waiting.join();
        assertEquals(-1, result.get());
        answer.countDown();
        for (Future<String> call : calls) {
            assertEquals("answered", call.get());
        }
    }

    @Test
    void nestedCallsOfAThreadInsideTheGateDoNotWait() throws Exception {
        StoreGate narrow = new StoreGate(1, Duration.ofSeconds(1), now::get, refused::incrementAndGet);
        String found = narrow.inside(() -> {
            try {
                return narrow.call(() -> "called") + narrow.inside(() -> " twice");
            } catch (IOException e) {
                return e.toString();
            }
        });
        assertEquals("called twice", found);
        assertEquals(0, narrow.threads());
    }

    @Test
    void aCallOfAnInterruptedThreadFailsWithoutWaiting() throws Exception {
        blockedCalls(2);
        Future<String> waiting = threads.submit(() -> {
            Thread.currentThread().interrupt();
            return gate.call(() -> "not tried");
        });
        ExecutionException e = assertThrows(ExecutionException.class, waiting::get);
        assertTrue(e.getCause() instanceof StoreUnavailableException, e.toString());
    }
}
