package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.Target;

/**
 * Requests at a constant rate.
 *
 * @param perSecond how many are due in a second, whatever became of earlier ones
 * @param requests how many in all
 * @param deadlineMillis when one counts as not answered
 * @param mostConnections how many may be open at a time
 */
record SteadyPlan(Target target, int perSecond, int requests, int deadlineMillis, int mostConnections) {

    SteadyPlan ofRequests(int other) {
        return new SteadyPlan(target, perSecond, other, deadlineMillis, mostConnections);
    }
}
