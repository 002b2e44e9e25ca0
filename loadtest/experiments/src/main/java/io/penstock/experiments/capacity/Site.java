package io.penstock.experiments.capacity;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.SizeConverter;
import java.time.Duration;
import java.util.Locale;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Option;

/**
 * The users of a site in its busiest hour, and their sessions, as options with their defaults. A visit is a sequence of requests of one
 * user. Users are independent of each other.
 */
final class Site {
    /** After each request, the probability that the visit ends is the same. */
    @Option(names = "--requests", description = "Mean number of requests of a visit.")
    double requests = 20;

    @Option(
            names = "--think",
            converter = DurationConverter.class,
            description = "Mean time between two requests of a visit.")
    Duration think = Duration.ofSeconds(15);

    @Option(names = "--think-spread", description = "Distribution of this time: ${COMPLETION-CANDIDATES}.")
    Distribution spread = Distribution.LOGNORMAL;

    @Option(names = "--connections", description = "Number of connections of a user's browser.")
    int connections = 2;

    @Option(
            names = "--keep-alive",
            converter = DurationConverter.class,
            description = "Setting keep-alive-timeout of the nodes.")
    Duration keepAlive = Duration.ofMinutes(1);

    @Option(
            names = "--session-timeout",
            converter = DurationConverter.class,
            description = "Time without a request after which a session expires.")
    Duration sessionTimeout = Duration.ofMinutes(30);

    /** The distribution is {@link Distribution#LOGNORMAL}. */
    @Option(
            names = "--session-size",
            converter = SizeConverter.class,
            description = "Mean size of a session's serialised attributes, in bytes.")
    Long sessionSize = 2048L;

    @Option(names = "--writes", description = "Share of requests that change the session.")
    double writes = 0.2;

    @Option(
            names = "--write-size",
            converter = SizeConverter.class,
            description = "Size of the attributes that such a request changes, in bytes.")
    Long writeSize = 200L;

    @Option(
            names = "--session-overhead",
            converter = SizeConverter.class,
            description = "Size of a session in the store without its attributes, in bytes.")
    Long sessionOverhead = 1180L;

    @Option(
            names = "--call-bytes",
            converter = SizeConverter.class,
            description = "Size of a round trip without attributes, in bytes.")
    Long callBytes = 365L;

    @Option(
            names = "--any-node",
            description = "Requests of a session go to any node, so each read transfers the whole session. Without this"
                    + " option they are sticky, and a read transfers only a version number.")
    boolean anyNode;

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

    /** @throws IllegalArgumentException if a value is not possible; the message names the option */
    void check() {
        require(requests >= 1, "--requests must be at least 1");
        require(seconds(think) > 0, "--think must be more than 0");
        require(connections >= 1, "--connections must be at least 1");
        require(seconds(keepAlive) > 0, "--keep-alive must be more than 0");
        require(seconds(sessionTimeout) > 0, "--session-timeout must be more than 0");
        require(sessionSize > 0, "--session-size must be more than 0");
        require(writes >= 0 && writes <= 1, "--writes must be from 0 to 1");
    }

    /** @throws IllegalArgumentException if the rule does not hold */
    static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    /** The mean length of a visit in seconds, from its first to its last request. */
    double visit() {
        return (requests - 1) * seconds(think);
    }
}
