package io.penstock.loadtest.capacity;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The result of a simulation.
 *
 * @param scale the number of users of the site, divided by the number of simulated users
 * @param visitSeconds the mean length of the visits that ended in the measured time, in seconds
 */
record Traffic(Map<Quantity, Series> series, double scale, double visitSeconds) {
    Traffic {
        series = new EnumMap<>(series);
    }

    /** The mean of a quantity for all users of the site. */
    double mean(Quantity quantity) {
        return scale * of(quantity).mean();
    }

    /**
     * The 99th percentile of a quantity for all users of the site. In 99 of 100 seconds, the quantity is not larger than this value. Users
     * are independent. For this reason, the difference between this value and the mean grows with the square root of the number of users.
     */
    double p99(Quantity quantity) {
        Series sample = of(quantity);
        return scale * sample.mean() + Math.sqrt(scale) * (sample.p99() - sample.mean());
    }

    private Series of(Quantity quantity) {
        return Objects.requireNonNull(series.get(quantity));
    }
}
