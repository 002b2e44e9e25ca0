package io.penstock.loadtest.capacity;

/**
 * The users of a site in its busiest hour, and their sessions. A visit is a sequence of requests of one user. Users are independent of each
 * other.
 *
 * @param arrivals the mean number of visits that begin per second; they begin at random times
 * @param requests the mean number of requests of a visit; after each request, the probability that the visit ends is the same
 * @param think the mean number of seconds between two requests of a visit
 * @param thinkDistribution the distribution of the time between two requests
 * @param connections the number of connections of a user's browser
 * @param keepAlive the number of seconds for which a connection is kept without a request
 * @param sessionTimeout the number of seconds for which a session is kept without a request
 * @param sessionBytes the mean size of a session's attributes, in bytes; the distribution is {@link Distribution#LOGNORMAL}
 * @param writes the share of requests that change the session, from 0 to 1
 * @param writeBytes the size of the attributes that a request changes if it changes the session, in bytes
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
        require(arrivals > 0, "the rate of arrivals must be more than 0");
        require(requests >= 1, "a visit has at least 1 request");
        require(think > 0, "the think time must be more than 0");
        require(connections >= 1, "a browser has at least 1 connection");
        require(keepAlive > 0 && sessionTimeout > 0, "time-outs must be more than 0");
        require(sessionBytes > 0 && writeBytes >= 0, "a session must have more than 0 bytes");
        require(writes >= 0 && writes <= 1, "the share of writes must be from 0 to 1");
    }

    /** The mean length of a visit, from its first to its last request, in seconds. */
    double visit() {
        return (requests - 1) * think;
    }

    /** Returns the same site with another number of visits per second. */
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
