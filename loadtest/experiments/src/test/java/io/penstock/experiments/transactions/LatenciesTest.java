package io.penstock.experiments.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Compares the simulated latencies with the values of a lognormal distribution. */
class LatenciesTest {
    private static final int CALLS = 200_000;
    private final Latencies latencies = new Latencies(Duration.ofMillis(1200), Duration.ofSeconds(6), 42);

    @Test
    void theMedianAndThe99thPercentileMatchTheSettings() {
        long[] sorted =
                LongStream.range(0, CALLS).map(latencies::nanos).sorted().toArray();
        assertEquals(1200, sorted[CALLS / 2] / 1e6, 12);
        assertEquals(6000, sorted[CALLS / 100 * 99] / 1e6, 180);
        // The 16th and 84th percentiles are exp(mu - sigma) and exp(mu + sigma). Here, sigma is ln(6000 / 1200) /
        // 2.3263.
        assertEquals(600.8, sorted[(int) (CALLS * 0.158655)] / 1e6, 9);
        assertEquals(2396.8, sorted[(int) (CALLS * 0.841345)] / 1e6, 36);
    }

    @Test
    void theMeanLatencyMatchesALognormalDistribution() {
        double sigma = Math.log(5) / 2.3263;
        assertEquals(1.2 * Math.exp(sigma * sigma / 2), latencies.meanNanos() / 1e9, 0.03);
    }

    @Test
    void theSlowestOfFourCallsTakesAboutThreeSecondsOnAverage() {
        double four = latencies.meanOfSlowest(4) / 1e9;
        assertTrue(four > 2.5 && four < 3.2, () -> "unexpected mean of the slowest latency, in seconds: " + four);
    }

    @Test
    void theLatencyOfACallDependsOnlyOnTheSeedAndTheCallNumber() {
        Latencies same = new Latencies(Duration.ofMillis(1200), Duration.ofSeconds(6), 42);
        Latencies other = new Latencies(Duration.ofMillis(1200), Duration.ofSeconds(6), 43);
        assertEquals(latencies.nanos(7), same.nanos(7));
        assertNotEquals(latencies.nanos(7), latencies.nanos(8));
        assertNotEquals(latencies.nanos(7), other.nanos(7));
    }

    @Test
    void theLatenciesOfConsecutiveCallsAreUncorrelated() {
        double[] logs = LongStream.range(0, CALLS)
                .mapToDouble(call -> Math.log(latencies.nanos(call) / 1.2e9))
                .toArray();
        double product = 0;
        double square = 0;
        for (int i = 1; i < CALLS; i++) {
            product += logs[i] * logs[i - 1];
            square += logs[i] * logs[i];
        }
        assertEquals(0, product / square, 0.01);
    }

    @Test
    void allCallsHaveTheSameLatencyIfThe99thPercentileEqualsTheMedian() {
        Latencies fixed = new Latencies(Duration.ofMillis(20), Duration.ofMillis(20), 1);
        assertTrue(LongStream.range(0, 100).allMatch(call -> fixed.nanos(call) == 20_000_000));
    }

    @Test
    void aMedianOfZeroIsRefusedAndA99thPercentileBelowTheMedianIsRefused() {
        Duration median = Duration.ofSeconds(2);
        assertThrows(IllegalArgumentException.class, () -> new Latencies(median, Duration.ofSeconds(1), 1));
        assertThrows(IllegalArgumentException.class, () -> new Latencies(Duration.ZERO, median, 1));
    }
}
