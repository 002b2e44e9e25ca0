package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http1.ResponseSlot.Begun;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Only the current response of a connection may be written. Later responses are parked until they become current, in order. */
final class ResponseSlotTest {
    private final ResponseSlot slot = new ResponseSlot();
    private final AtomicInteger discarded = new AtomicInteger();
    private final ResponseSlot.Parkable first = discarded::incrementAndGet;
    private final ResponseSlot.Parkable second = discarded::incrementAndGet;

    @Test
    void theFirstResponseIsCurrentAndTheSecondResponseIsParked() {
        assertTrue(slot.isIdle());
        assertEquals(Begun.CURRENT, slot.begin(first));
        assertFalse(slot.isIdle());
        assertEquals(0, slot.parked());
        assertEquals(Begun.PARKED, slot.begin(second));
        assertEquals(1, slot.parked());
        assertSame(second, slot.next());
        assertEquals(0, slot.parked());
        assertFalse(slot.isIdle());
        assertNull(slot.next());
        assertTrue(slot.isIdle());
    }

    @Test
    void parkedResponsesAreReturnedInOrder() {
        slot.begin(discarded::incrementAndGet);
        slot.begin(first);
        slot.begin(second);
        assertSame(first, slot.next());
        assertEquals(Begun.PARKED, slot.begin(first));
        assertSame(second, slot.next());
        assertSame(first, slot.next());
        assertNull(slot.next());
        assertTrue(slot.isIdle());
    }

    @Test
    void theMethodBeginThrowsAnExceptionIfTooManyResponsesAreParked() {
        slot.begin(first);
        for (int i = 0; i < ResponseSlot.MAX_PARKED; i++) {
            slot.begin(second);
        }
        assertEquals(ResponseSlot.MAX_PARKED, slot.parked());
        assertThrows(IllegalStateException.class, () -> slot.begin(first));
    }

    @Test
    void theMethodNextThrowsAnExceptionIfNoResponseIsCurrent() {
        assertThrows(IllegalStateException.class, slot::next);
    }

    @Test
    void closingTheConnectionDiscardsOnlyTheParkedResponses() {
        slot.begin(first);
        slot.begin(second);
        slot.begin(second);
        slot.onClosed();
        assertEquals(2, discarded.get());
        assertNull(slot.next());
        assertEquals(Begun.REFUSED, slot.begin(first));
        assertFalse(slot.isIdle());
        slot.onClosed();
        assertEquals(2, discarded.get());
    }

    /**
     * Each response begins exactly once, and in order. If no other response is current, the reactor begins the response. Otherwise the
     * worker begins the response after the end of the previous response.
     */
    @Test
    void eachResponseBeginsOnceAndInOrderIfReactorAndWorkerRunConcurrently() throws InterruptedException {
        class Numbered implements ResponseSlot.Parkable {
            final int number;

            Numbered(int number) {
                this.number = number;
            }

            @Override
            public void discard() {
                discarded.incrementAndGet();
            }
        }
        int count = 20_000;
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger disorder = new AtomicInteger();
        // The thread of the test acts as the reactor. The worker ends a response and takes the next parked response.
        // If no response is parked, the reactor begins the next response.
        java.util.concurrent.SynchronousQueue<Numbered> handed = new java.util.concurrent.SynchronousQueue<>();
        Thread worker = new Thread(() -> {
            try {
                while (answered.get() < count) {
                    ResponseSlot.Parkable now = handed.take();
                    while (now instanceof Numbered numbered) {
                        if (numbered.number != answered.getAndIncrement()) {
                            disorder.incrementAndGet();
                        }
                        now = slot.next();
                    }
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        worker.start();
        for (int i = 0; i < count; i++) {
            Numbered answer = new Numbered(i);
            while (slot.parked() == ResponseSlot.MAX_PARKED) {
                Thread.yield();
            }
            if (slot.begin(answer) == Begun.CURRENT) {
                handed.put(answer);
            }
        }
        worker.join();
        assertEquals(count, answered.get());
        assertEquals(0, disorder.get());
    }
}
