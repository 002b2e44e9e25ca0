package io.penstock.loadtest.compare.scenarios;

import java.time.Duration;

/**
 * The plan of the requests for a small JSON object in a {@link BootScenario}.
 *
 * @param connections the number of connections that send requests without pauses
 * @param warmUp the warm-up time, which is not counted
 * @param time the measured time
 */
record BootPlan(int connections, Duration warmUp, Duration time) {}
