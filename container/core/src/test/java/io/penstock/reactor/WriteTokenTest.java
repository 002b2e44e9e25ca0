package io.penstock.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.reactor.WriteToken.State;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Tests the write token of a connection. Only the thread that holds the token may write to the connection. A token is stalled if its holder
 * could not write all bytes.
 */
final class WriteTokenTest {
    private final WriteToken token = new WriteToken();

    @Test
    void onlyOneThreadAtATimeCanHoldTheToken() {
        assertTrue(token.tryWorker());
        assertFalse(token.tryWorker());
        assertFalse(token.tryReactor());
        token.release();
        assertTrue(token.tryReactor());
        assertFalse(token.tryWorker());
        assertFalse(token.tryReactor());
        token.release();
        assertEquals(State.FREE, token.state());
    }

    @Test
    void onlyTheReactorCanAcquireAStalledToken() {
        assertTrue(token.tryWorker());
        token.stalled();
        assertEquals(State.AWAITING_WRITABLE, token.state());
        assertFalse(token.tryWorker());
        assertTrue(token.tryReactor());
        token.stalled();
        assertFalse(token.tryWorker());
        assertTrue(token.tryReactor());
        token.release();
        assertTrue(token.tryWorker());
    }

    @Test
    void aWorkerCanAcquireTheTokenInPlaceOfTheReactorOnlyIfTheTokenIsStalled() {
        assertFalse(token.tryInPlaceOfReactor());
        assertTrue(token.tryReactor());
        assertFalse(token.tryInPlaceOfReactor());
        token.stalled();
        assertTrue(token.tryInPlaceOfReactor());
        assertEquals(State.WORKER, token.state());
        assertFalse(token.tryReactor());
        token.stalled();
        assertTrue(token.tryReactor());
    }

    @Test
    void nobodyCanAcquireTheTokenAfterTheEndOfTheOutput() {
        assertTrue(token.tryWorker());
        assertFalse(token.hasOutputEnded());
        token.end();
        assertTrue(token.hasOutputEnded());
        assertFalse(token.tryWorker());
        assertFalse(token.tryReactor());
        assertFalse(token.tryInPlaceOfReactor());
        assertThrows(IllegalStateException.class, token::release);
    }

    @Test
    void aFreeTokenCannotBeReleasedOrStalled() {
        assertThrows(IllegalStateException.class, token::release);
        WriteToken other = new WriteToken();
        assertThrows(IllegalStateException.class, other::stalled);
    }

    @Test
    void twoThreadsNeverHoldTheTokenAtTheSameTime() throws InterruptedException {
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger mostHolders = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        Thread worker = new Thread(() -> acquireRepeatedly(start, holders, mostHolders, false));
        Thread reactor = new Thread(() -> acquireRepeatedly(start, holders, mostHolders, true));
        worker.start();
        reactor.start();
        start.countDown();
        worker.join();
        reactor.join();
        assertEquals(1, mostHolders.get());
    }

    private void acquireRepeatedly(
            CountDownLatch start, AtomicInteger holders, AtomicInteger mostHolders, boolean reactor) {
        try {
            start.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        for (int i = 0; i < 200_000; i++) {
            if (reactor ? token.tryReactor() : token.tryWorker()) {
                mostHolders.accumulateAndGet(holders.incrementAndGet(), Math::max);
                holders.decrementAndGet();
                if (i % 3 == 0) {
                    token.stalled();
                } else {
                    token.release();
                }
            }
        }
    }
}
