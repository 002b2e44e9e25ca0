package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.Target;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Requests that are due at a constant rate, whatever became of earlier ones.
 *
 * @param perSecond how many are due in a second
 * @param requests how many in all
 * @param deadline when one counts as not answered
 * @param connections how many may be open at a time
 */
record ConstantRate(Target target, int perSecond, int requests, Duration deadline, int connections) {

    ConstantRate ofRequests(int other) {
        return new ConstantRate(target, perSecond, other, deadline, connections);
    }

    /** From the first to the moment at which one more would be due. */
    Duration duration() {
        return Duration.ofNanos(requests * TimeUnit.SECONDS.toNanos(1) / perSecond);
    }

    /** How long a run may take at most, its last deadline and a margin included. */
    Duration patience() {
        return duration().plus(deadline).plusSeconds(30);
    }
}
