package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Tests the figure of {@link Beside} that its bar judges. {@link ComparisonIT} measures it. */
class BesideTest {

    @Test
    void theP99IsDividedByTheAllowedOne() {
        assertEquals(0.5, Beside.ofAllowed(latency(1), latency(3)), 0.01);
        assertEquals(2, Beside.ofAllowed(latency(10), latency(60)), 0.01);
    }

    @Test
    void aServerThatRefusesAllRequestsDoesNotMeetTheBar() {
        double nothing = Beside.ofAllowed(latency(1), new Histogram(3));
        assertEquals(Double.POSITIVE_INFINITY, nothing);
        assertFalse(Work.Bar.atMost(1).isMetBy(nothing));
    }

    private static Histogram latency(long millis) {
        Histogram latency = new Histogram(3);
        latency.recordValue(TimeUnit.MILLISECONDS.toNanos(millis));
        return latency;
    }
}
