package io.penstock.loadtest.capacity;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The result of a simulation.
 *
 * @param scale the number of users of the site, divided by the number of simulated users
 * @param visitSeconds the mean length of the visits that ended in the measured time, in seconds
 */
record Traffic(Map<Quantity, Series> series, double scale, double visitSeconds) {
    /** A quantity that is counted from zero in each second of a simulation, or sampled at the end of each second. */
    enum Quantity {
        /** Users on the site, from their first to their last request. */
        USERS(false),
        /** Open connections of users. An idle connection counts until its keep-alive time-out. */
        CONNECTIONS(false),
        /** Sessions that have not expired. */
        SESSIONS(false),
        /** Bytes of all sessions in the store. */
        STORED(false),
        /** Visits that begin in this second. */
        VISITS(true),
        /** Requests in this second. */
        REQUESTS(true),
        /** Round trips to the store in this second. */
        OPERATIONS(true),
        /** Bytes that nodes and store exchange in this second. */
        TRAFFIC(true);

        private final boolean rate;

        Quantity(boolean rate) {
            this.rate = rate;
        }

        /** Whether the quantity is counted from zero in each second. */
        boolean isRate() {
            return rate;
        }
    }

    /** The values of one {@link Quantity}, with one value for each second. */
    static final class Series {
        private double[] values = new double[1024];
        private int size;
        private double sum;
        private double now;

        /** Changes the value of the present second. */
        void change(double by) {
            now += by;
        }

        /** Ends the present second, and records its value. The next second starts with the same value. */
        void keep() {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = now;
            sum += now;
        }

        /** Sets the value to zero, so that the next second starts with zero. */
        void reset() {
            now = 0;
        }

        private double mean() {
            return sum / size;
        }

        private double p99() {
            double[] sorted = Arrays.copyOf(values, size);
            Arrays.sort(sorted);
            return sorted[Math.max(0, (int) Math.ceil(0.99 * size) - 1)];
        }
    }

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

    /**
     * The number of nodes, or of stores, that the traffic needs.
     *
     * @param byLimit a map from the name of each limit, such as connections, to the number that this limit requires; at least 1
     */
    record Needs(Map<String, Long> byLimit) {
        /** @param shares how much of one node or store the traffic uses, for each limit, in the order of the report */
        static Needs of(Map<String, Double> shares) {
            Map<String, Long> whole = new LinkedHashMap<>();
            shares.forEach((limit, share) -> whole.put(limit, Math.max(1, (long) Math.ceil(share))));
            return new Needs(whole);
        }

        long most() {
            return byLimit.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        }

        /** The first limit that requires the largest number. */
        String reason() {
            return most() == 1
                    ? "one is enough"
                    : byLimit.entrySet().stream()
                            .filter(need -> need.getValue() == most())
                            .findFirst()
                            .orElseThrow()
                            .getKey();
        }
    }
}
