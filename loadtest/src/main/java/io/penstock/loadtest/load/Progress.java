package io.penstock.loadtest.load;

import java.time.Duration;

/**
 * The progress of a load.
 *
 * @param elapsed the time since the beginning of the measurement; zero during the warm-up
 * @param answered the number of requests that were answered with a status of 2xx
 * @param non2xx the number of requests that were answered with another status
 * @param failed the number of requests that were not answered
 */
public record Progress(Duration elapsed, long answered, long non2xx, long failed) {}
