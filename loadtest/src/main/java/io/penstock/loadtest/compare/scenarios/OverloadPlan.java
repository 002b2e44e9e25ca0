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
 * An overload of many times the requests that a server can answer, with normal load before and after it.
 *
 * @param rate requests due in a second during the overload
 * @param duration of the overload
 * @param workers threads of each server that run the servlet
 * @param millis that one call of the servlet takes
 * @param deadline time limit for a response; after it the request counts as not answered
 * @param connections open at a time, at most
 * @param normalRate requests due in a second before and after the overload
 * @param before time for which the normal latency is measured
 * @param after time within which the server should recover
 * @param queueAge longest time that requests wait in Penstock, in the row with settings of its own
 * @param queue maximum number of requests that wait in Penstock, in the row with settings of its own
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
            throw new IllegalArgumentException("--workers and --millis must be at least 1");
        }
    }

    /** The settings with which that server is measured: its defaults; for Penstock also a limit for the age of the queue, or for its length. */
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
