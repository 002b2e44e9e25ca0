package io.penstock.loadtest.run;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.Load;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.report.Chart.Axis;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A picocli mixin: the options for the amount and the duration of the load. */
final class LoadOptions {
    private static final int DEFAULT_USERS = 10;
    private static final int DEFAULT_CONNECTIONS = 256;

    @Option(
            names = "--users",
            paramLabel = "N",
            description = "Closed loop: number of users. Each user keeps one connection open, and waits for a"
                    + " response before its next request. Default: " + DEFAULT_USERS + ".")
    private @Nullable Integer users;

    @Option(
            names = "--think",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Closed loop: a user's pause between a response and the next request, such as"
                    + " 10ms. Default: 0.")
    private @Nullable Duration think;

    @Option(
            names = "--ramp-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Closed loop: time in which the users start, one after the other, such as 2s."
                    + " Default: 0, all at once.")
    private @Nullable Duration rampUp;

    @Option(
            names = "--pipeline",
            paramLabel = "N",
            description = "Closed loop: number of requests that a user sends before it waits for their"
                    + " responses. Default: 1.")
    private @Nullable Integer pipeline;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Open loop: request rate, per second, independent of the responses. Latency is"
                    + " measured from the time at which a request was due, so it includes pauses of the"
                    + " server.")
    private @Nullable Double rate;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Open loop: maximum number of open connections. If none is free, a request waits;"
                    + " its latency includes this wait. Default: " + DEFAULT_CONNECTIONS + ".")
    private @Nullable Integer connections;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Warm-up time, not measured, such as 500ms or 5s. Default: 2s.")
    private Duration warmUp = Duration.ofSeconds(2);

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Measured time, such as 10s or 2m. Default: 10s.")
    private Duration duration = Duration.ofSeconds(10);

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time limit for a response, such as 1s. After it the request counts as timed out,"
                    + " and its connection is closed. Default: 10s.")
    private Duration deadline = Duration.ofSeconds(10);

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time limit for opening a connection, such as 1s. Default: 10s.")
    private Duration connectTimeout = Duration.ofSeconds(10);

    Duration deadline() {
        return deadline;
    }

    Duration connectTimeout() {
        return connectTimeout;
    }

    Duration duration() {
        return duration;
    }

    /** The maximum number of open connections. */
    int mostConnections() {
        return rate == null ? orElse(users, DEFAULT_USERS) : orElse(connections, DEFAULT_CONNECTIONS);
    }

    /** @throws IllegalArgumentException if an option is wrong, or two options cannot be combined */
    void check(Request request) {
        if (connectTimeout.isZero()) {
            throw new IllegalArgumentException("--connect-timeout must be more than 0");
        }
        if (rate == null) {
            refuse(connections, "--connections", "an open loop: add --rate, or use --users");
            var unused = closed(request);
        } else {
            refuse(users, "--users", "a closed loop: remove it or --rate");
            refuse(think, "--think", "a closed loop: remove it or --rate");
            refuse(rampUp, "--ramp-up", "a closed loop: remove it or --rate");
            refuse(pipeline, "--pipeline", "a closed loop: remove it or --rate");
            var unused = open(request, rate);
        }
    }

    Load on(ClientLoop loop, Request request) {
        return rate == null ? new ClosedLoop(loop, closed(request)) : new OpenLoop(loop, open(request, rate));
    }

    /** The load as a text for users. */
    String describe() {
        String time = ", measured " + DurationConverter.text(duration) + " after " + DurationConverter.text(warmUp)
                + " of warm-up";
        if (rate != null) {
            return "open loop, " + Axis.plain(rate) + " requests per second over at most " + mostConnections()
                    + " connections" + time;
        }
        StringBuilder text =
                new StringBuilder("closed loop, ").append(mostConnections()).append(" users");
        if (think != null) {
            text.append(", think ").append(DurationConverter.text(think));
        }
        if (pipeline != null) {
            text.append(", ").append(pipeline).append(" requests pipelined");
        }
        return text.append(time).toString();
    }

    /** The load as a map for JSON. Times are written in seconds. */
    Map<String, Object> record() {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("loop", rate == null ? "closed" : "open");
        if (rate == null) {
            record.put("users", mostConnections());
            record.put("think", orElse(think, Duration.ZERO));
            record.put("rampUp", orElse(rampUp, Duration.ZERO));
            record.put("pipeline", orElse(pipeline, 1));
        } else {
            record.put("rate", rate);
            record.put("connections", mostConnections());
        }
        record.put("warmUp", warmUp);
        record.put("duration", duration);
        record.put("deadline", deadline);
        record.put("connectTimeout", connectTimeout);
        return record;
    }

    private ClosedPlan closed(Request request) {
        return new ClosedPlan(
                List.of(request),
                orElse(users, DEFAULT_USERS),
                orElse(think, Duration.ZERO),
                orElse(rampUp, Duration.ZERO),
                warmUp,
                duration,
                deadline,
                orElse(pipeline, 1));
    }

    private OpenPlan open(Request request, double perSecond) {
        return OpenPlan.lasting(request, perSecond, duration)
                .withWarmUp(warmUp)
                .withDeadline(deadline)
                .withMaxConnections(orElse(connections, DEFAULT_CONNECTIONS));
    }

    private static void refuse(@Nullable Object given, String option, String belongsTo) {
        if (given != null) {
            throw new IllegalArgumentException(option + " belongs to " + belongsTo);
        }
    }

    private static <T> T orElse(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }
}
