package io.penstock.peer.content;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class EndpointsTest {
    @Test
    void percentilesOfCallTimesHaveFiveSignificantBits() {
        Endpoints.CallTimes times = new Endpoints.CallTimes();
        assertEquals(0, times.percentile(99.9));
        for (int i = 0; i < 9999; i++) {
            times.add(i % 32);
        }
        times.add(20_000_123);
        assertEquals(16, times.percentile(50), 1);
        assertEquals(31, times.percentile(99.9));
        assertEquals(20_000_123, times.percentile(100), 20_000_123 / 16.0);
        assertEquals(20_000_123, times.longest());
    }
}
