package io.penstock.experiments.transactions;

import java.time.Duration;
import java.util.Random;

/**
 * The third party's time for each call: a lognormal distribution, with most answers near the median and few far above.
 *
 * <p>A call's latency depends only on the seed and its number, not on its time or caller. So both kinds of client have the same
 * latencies for the same transactions.
 *
 * @param median half of the answers take less
 * @param p99 99 of 100 answers take less; the same as the median if all answers take the same time
 */
record Latencies(Duration median, Duration p99, long seed) {
    /** The standard normal distribution's 99th percentile. */
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

    /** The nanoseconds until the answer to this call. */
    long nanos(long call) {
        double sigma = Math.log((double) p99.toNanos() / median.toNanos()) / Z99;
        double z = new Random(mix(seed + 0x9E3779B97F4A7C15L * call)).nextGaussian();
        return Math.round(median.toNanos() * Math.exp(sigma * z));
    }

    /** The mean time of a call, in nanoseconds. */
    double meanNanos() {
        return meanOfSlowest(1);
    }

    /** The mean time of the slowest of so many calls, in nanoseconds; found by simulation. */
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

    /** Similar seeds of {@link Random} give similar numbers; this function spreads them (SplitMix64). */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
