package io.penstock.loadtest.capacity;

import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The users of a site in its busiest hour, and their sessions. A visit is a sequence of requests of one user. Users are independent of each
 * other. Times are in seconds, and sizes in bytes.
 *
 * @param arrivals the mean number of visits that begin per second; they begin at random times
 * @param requests the mean number of requests of a visit; after each request, the probability that the visit ends is the same
 * @param think the mean time between two requests of a visit
 * @param spread the distribution of this time
 * @param connections the number of connections of a user's browser
 * @param keepAlive the time for which a connection is kept without a request
 * @param sessionTimeout the time for which a session is kept without a request
 * @param sessionBytes the mean size of a session's attributes; the distribution is {@link Distribution#LOGNORMAL}
 * @param writes the share of requests that change the session, from 0 to 1
 * @param writeBytes the size of the attributes that a request changes if it changes the session
 * @param sessionOverhead the size of a session in the store without its attributes
 * @param callBytes the size of a round trip to the store without attributes
 * @param sticky whether all requests of a session go to the same node; if so, a read does not transfer the attributes
 */
record Site(
        double arrivals,
        double requests,
        double think,
        Distribution spread,
        int connections,
        double keepAlive,
        double sessionTimeout,
        double sessionBytes,
        double writes,
        double writeBytes,
        double sessionOverhead,
        double callBytes,
        boolean sticky) {

    /** The distribution of values around their mean. */
    enum Distribution {
        /** Every value is the mean. */
        CONSTANT,
        /** The time between independent events has this distribution. */
        EXPONENTIAL,
        /**
         * Most values are below the mean, and a few are far above it. The standard deviation of the logarithm is 1, so the median is 0.61
         * of the mean.
         */
        LOGNORMAL;

        double draw(double mean, RandomGenerator random) {
            return switch (this) {
                case CONSTANT -> mean;
                case EXPONENTIAL -> mean * random.nextExponential();
                case LOGNORMAL -> mean * Math.exp(random.nextGaussian() - 0.5);
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Site {
        require(arrivals > 0, "the rate of arrivals must be more than 0");
        require(requests >= 1, "a visit has at least 1 request");
        require(think > 0, "the think time must be more than 0");
        require(connections >= 1, "a browser has at least 1 connection");
        require(keepAlive > 0 && sessionTimeout > 0, "time-outs must be more than 0");
        require(sessionBytes > 0 && writeBytes >= 0, "a session must have more than 0 bytes");
        require(writes >= 0 && writes <= 1, "the share of writes must be from 0 to 1");
    }

    /** @throws IllegalArgumentException if the rule does not hold */
    static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    /** The mean length of a visit, from its first to its last request. */
    double visit() {
        return (requests - 1) * think;
    }

    /** Returns the same site with another number of visits per second. */
    Site withArrivals(double perSecond) {
        return new Site(
                perSecond,
                requests,
                think,
                spread,
                connections,
                keepAlive,
                sessionTimeout,
                sessionBytes,
                writes,
                writeBytes,
                sessionOverhead,
                callBytes,
                sticky);
    }
}
