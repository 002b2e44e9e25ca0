package io.penstock.loadtest.load;

import java.time.Duration;

/**
 * How far a load has come.
 *
 * @param elapsed since measuring began; zero while the server warms up
 * @param answered with a status of 2xx
 * @param non2xx answered with another status
 * @param failed not answered
 */
public record Progress(Duration elapsed, long answered, long non2xx, long failed) {}
