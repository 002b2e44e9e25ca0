package io.penstock.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SeldomTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
    private final Seldom seldom = new Seldom(now::get, Duration.ofNanos(100));

    @Test
    void theFirstTimeIsSaidAtOnceAndTheNextOnesTogetherAfterAWhile() {
        assertEquals(1, seldom.happened());
        assertEquals(0, seldom.happened());
        now.addAndGet(99);
        assertEquals(0, seldom.happened());
        now.addAndGet(1);
        assertEquals(3, seldom.happened());
        assertEquals(0, seldom.happened());
    }
}
