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
 * The plan of an {@link OverloadScenario}: normal load, then an overload with many more requests than a server can answer, and then normal
 * load again.
 *
 * @param rate the number of requests per second during the overload
 * @param duration the duration of the overload
 * @param workers the number of threads of each server that run the servlet
 * @param millis the duration of one call of the servlet, in milliseconds
 * @param deadline the time limit for a response; a request without a response within this time counts as not answered
 * @param connections the maximum number of connections that are open at the same time
 * @param normalRate the number of requests per second before and after the overload
 * @param before the time before the overload in which the normal latency is measured
 * @param after the time after the overload in which the server should recover
 * @param queueAge Penstock's setting {@code queue-age}, the maximum waiting time of a request, for an additional row
 * @param queue Penstock's setting {@code queue}, the maximum number of waiting requests, for an additional row
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

    /**
     * The settings with which the given server is measured. Every server is measured with its default settings. Penstock is also measured
     * with a maximum waiting time, and with a maximum queue length.
     */
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

    /** The maximum number of requests per second that all worker threads together can answer. */
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
