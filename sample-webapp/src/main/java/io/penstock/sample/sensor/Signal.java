package io.penstock.sample.sensor;

import java.util.SplittableRandom;

/**
 * A simulated thermometer. Its values consist of two slow waves and some noise. The same seed gives the same values.
 */
public final class Signal {
    private static final double DAY = 1000;

    private final SplittableRandom noise;

    public Signal(long seed) {
        noise = new SplittableRandom(seed);
    }

    /** The temperature at the given second, in degrees Celsius. */
    public float at(int second) {
        double daily = 6 * Math.sin(2 * Math.PI * second / DAY);
        double gusts = 1.5 * Math.sin(2 * Math.PI * second / 137);
        return (float) (18 + daily + gusts + noise.nextDouble(-0.6, 0.6));
    }

    /** The temperatures of the first {@code length} seconds. */
    public float[] series(int length) {
        float[] series = new float[length];
        for (int second = 0; second < length; second++) {
            series[second] = at(second);
        }
        return series;
    }
}
