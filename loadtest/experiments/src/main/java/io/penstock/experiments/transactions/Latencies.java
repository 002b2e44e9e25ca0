package io.penstock.experiments.transactions;

import java.time.Duration;
import java.util.Random;

/**
 * The latency of the third party for each call. The distribution is lognormal: most latencies are near the median, and a few are far above
 * it.
 *
 * <p>The latency of a call depends only on the seed and on the number of the call. So both kinds of client have the same latencies for the
 * same transactions.
 *
 * @param median the median of the latency
 * @param p99 the 99th percentile of the latency; if it is equal to the median, all latencies are equal
 * @param seed the seed of the random numbers
 */
record Latencies(Duration median, Duration p99, long seed) {
    /** The 99th percentile of the standard normal distribution. */
    private static final double Z99 = 2.3263478740408408;

    private static final int TRANSACTIONS_TRIED = 10_000;

    Latencies {
        if (median.isNegative() || median.isZero()) {
            throw new IllegalArgumentException("--median must be above 0");
        }
        if (p99.compareTo(median) < 0) {
            throw new IllegalArgumentException("--tail-p99 must not be below --median");
        }
    }

    /** The latency of the call with the given number, in nanoseconds. */
    long nanos(long call) {
        double sigma = Math.log((double) p99.toNanos() / median.toNanos()) / Z99;
        double z = new Random(mix(seed + 0x9E3779B97F4A7C15L * call)).nextGaussian();
        return Math.round(median.toNanos() * Math.exp(sigma * z));
    }

    /** The mean latency of a call, in nanoseconds. */
    double meanNanos() {
        return meanOfSlowest(1);
    }

    /** The mean latency of the slowest of {@code calls} calls, in nanoseconds. It is computed by simulation. */
    double meanOfSlowest(int calls) {
        double sum = 0;
        for (int t = 0; t < TRANSACTIONS_TRIED; t++) {
            long slowest = 0;
            for (int i = 0; i < calls; i++) {
                slowest = Math.max(slowest, nanos((long) t * calls + i));
            }
            sum += slowest;
        }
        return sum / TRANSACTIONS_TRIED;
    }

    /** Mixes the bits of a seed (SplitMix64). This is needed since similar seeds of {@link Random} give similar numbers. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
