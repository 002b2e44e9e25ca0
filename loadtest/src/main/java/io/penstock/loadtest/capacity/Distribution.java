package io.penstock.loadtest.capacity;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** The distribution of values around their mean. */
enum Distribution {
    /** Every value is the mean. */
    CONSTANT {
        @Override
        double draw(double mean, RandomGenerator random) {
            return mean;
        }
    },
    /** The exponential distribution. The time between independent events has this distribution. */
    EXPONENTIAL {
        @Override
        double draw(double mean, RandomGenerator random) {
            return mean * random.nextExponential();
        }
    },
    /**
     * The lognormal distribution: most values are below the mean, and a few are far above it. The standard deviation of the logarithm is 1,
     * so the median is 0.61 of the mean.
     */
    LOGNORMAL {
        @Override
        double draw(double mean, RandomGenerator random) {
            return mean * Math.exp(random.nextGaussian() - 0.5);
        }
    };

    abstract double draw(double mean, RandomGenerator random);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
