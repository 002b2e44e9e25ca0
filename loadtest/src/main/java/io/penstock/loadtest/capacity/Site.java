package io.penstock.loadtest.capacity;

/**
 * The users of a site in its busiest hour, and their sessions. Users are independent of each other.
 *
 * @param arrivals visits that begin in a second, at random
 * @param requests of a visit, in the mean; each may be the last with the same probability
 * @param think seconds between two requests of a visit, in the mean
 * @param thinkDistribution the distribution of these seconds
 * @param connections of a user's browser
 * @param keepAlive seconds for which a connection is kept without a request
 * @param sessionTimeout seconds for which a session is kept without a request
 * @param sessionBytes of the attributes of a session, in the mean; spread as {@link Distribution#LOGNORMAL}
 * @param writes the share of requests that change the session, from 0 to 1
 * @param writeBytes of the attributes that such a request changes
 */
record Site(
        double arrivals,
        double requests,
        double think,
        Distribution thinkDistribution,
        int connections,
        double keepAlive,
        double sessionTimeout,
        double sessionBytes,
        double writes,
        double writeBytes) {

    Site {
        require(arrivals > 0, "there must be arrivals");
        require(requests >= 1, "a visit has at least 1 request");
        require(think > 0, "the think time must be more than 0");
        require(connections >= 1, "a browser has at least 1 connection");
        require(keepAlive > 0 && sessionTimeout > 0, "time-outs must be more than 0");
        require(sessionBytes > 0 && writeBytes >= 0, "a session must have more than 0 bytes");
        require(writes >= 0 && writes <= 1, "the share of writes must be from 0 to 1");
    }

    /** Seconds from the first to the last request of a visit, in the mean. */
    double visit() {
        return (requests - 1) * think;
    }

    /** The same site with fewer or more users. */
    Site withArrivals(double perSecond) {
        return new Site(
                perSecond,
                requests,
                think,
                thinkDistribution,
                connections,
                keepAlive,
                sessionTimeout,
                sessionBytes,
                writes,
                writeBytes);
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
