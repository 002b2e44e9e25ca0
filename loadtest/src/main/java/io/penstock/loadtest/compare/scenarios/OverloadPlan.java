package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Many times the requests that a server can answer, and what comes before and after.
 *
 * @param rate requests due in a second during the overload
 * @param duration of the overload
 * @param workers threads of each server that run the servlet
 * @param millis that one call of the servlet takes
 * @param deadline when a request counts as not answered
 * @param connections open at a time, at most
 * @param normalRate requests due in a second before and after the overload
 * @param before how long the normal latency is measured
 * @param after how long recovery is looked for
 * @param queueAge what Penstock lets requests wait at most, where it is not as it comes
 * @param queue how many requests Penstock lets wait, where it is not as it comes
 */
record OverloadPlan(
        int rate,
        Duration duration,
        int workers,
        int millis,
        Duration deadline,
        int connections,
        int normalRate,
        Duration before,
        Duration after,
        Duration queueAge,
        int queue) {

    OverloadPlan {
        if (workers < 1 || millis < 1) {
            throw new IllegalArgumentException("A worker and a millisecond are the least");
        }
    }

    /** The ways in which that server is measured: each as it comes, and ours as one would set it up for such clients as well. */
    List<OverloadSetup> setups(Server server) {
        if (!server.isPenstock()) {
            return List.of(OverloadSetup.DEFAULTS);
        }
        return List.of(
                OverloadSetup.DEFAULTS,
                OverloadSetup.with("queue-age", DurationConverter.text(queueAge), queueAge.toNanos()),
                OverloadSetup.with("queue", Integer.toString(queue), OverloadSetup.NO_AGE));
    }

    String path() {
        return "/work?millis=" + millis;
    }

    /** Requests that all workers together can answer in a second. */
    double capacity() {
        return workers * (double) TimeUnit.SECONDS.toMillis(1) / millis;
    }

    OpenPlan normal(Target target, Duration length) {
        return rate(target, normalRate, length);
    }

    OpenPlan overload(Target target) {
        return rate(target, rate, duration);
    }

    private OpenPlan rate(Target target, int perSecond, Duration length) {
        int requests = (int) Math.max(1, perSecond * length.toMillis() / TimeUnit.SECONDS.toMillis(1));
        return new OpenPlan(Request.get(target), perSecond, 0, requests, deadline, connections);
    }
}
