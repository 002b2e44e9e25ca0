package io.penstock.loadtest.compare.scenarios;

import java.time.Duration;

/**
 * The sizes of the comparison of sessions in a store.
 *
 * @param connections that ask as fast as they can, each with a session of its own
 * @param bytes of an attribute that a session has beside its count
 * @param workers threads that run servlets
 * @param warmUp not counted
 * @param time that counts
 * @param stored sessions that are made to measure the memory of one session
 * @param clients that change one session in parallel
 * @param changes of each of them
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
