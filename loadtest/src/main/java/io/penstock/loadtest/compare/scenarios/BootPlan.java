package io.penstock.loadtest.compare.scenarios;

import java.time.Duration;

/**
 * The requests for a small JSON object.
 *
 * @param connections that ask as fast as they can
 * @param warmUp not counted
 * @param time that counts
 */
record BootPlan(int connections, Duration warmUp, Duration time) {}
