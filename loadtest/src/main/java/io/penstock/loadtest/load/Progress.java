package io.penstock.loadtest.load;

import java.time.Duration;

/**
 * The progress of a load.
 *
 * @param elapsed since the measurement began; zero during the warm-up
 * @param answered with a status of 2xx
 * @param non2xx answered with another status
 * @param failed not answered
 */
public record Progress(Duration elapsed, long answered, long non2xx, long failed) {}
