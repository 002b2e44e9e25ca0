package io.penstock.loadtest.compare.scenarios;

import java.time.Duration;

/**
 * The sizes of a {@link SessionsScenario}.
 *
 * @param connections the number of connections that send requests without pauses, each with its own session
 * @param bytes the size of the session attribute that does not change, in bytes
 * @param workers the number of threads that run servlets
 * @param warmUp the warm-up time, which is not counted
 * @param time the measured time
 * @param stored the number of sessions that are created to measure the memory of one session
 * @param clients the number of clients that change one session in parallel
 * @param changes the number of changes of each of these clients
 */
record SessionsPlan(
        int connections,
        int bytes,
        int workers,
        Duration warmUp,
        Duration time,
        int stored,
        int clients,
        int changes) {}
