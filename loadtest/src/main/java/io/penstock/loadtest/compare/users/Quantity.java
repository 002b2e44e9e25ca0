package io.penstock.loadtest.compare.users;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What is reported of a run: the columns of the tables. */
enum Quantity {
    RATE("requestsPerSecond", "requests/s", 0, Measurement::answersPerSecond),
    P50("p50Millis", "p50, ms", 2, run -> run.p50Micros() / 1e3),
    P99("p99Millis", "p99, ms", 2, run -> run.p99Micros() / 1e3),
    P999("p999Millis", "p99.9, ms", 2, run -> run.p999Micros() / 1e3),
    CONNECT_ERRORS("connectErrorsPerMinute", "connect errors/min", 0, Measurement::connectErrorsPerMinute),
    TROUBLES("otherErrors", "other errors", 0, Measurement::troubles),
    UNANSWERED("usersWithoutAnswer", "users without answer", 0, Measurement::usersWithoutAnswer),
    CPU("cpuMicrosPerRequest", "CPU µs/request", 1, Measurement::cpuMicrosPerAnswer),
    THREADS("threads", "threads", 0, Measurement::threads),
    RESIDENT("residentMegabytes", "resident, MB", 0, run -> run.residentBytes() / 1e6),
    HEAP("heapMegabytes", "heap, MB", 1, run -> run.heapBytes() / 1e6);

    private final String key;
    private final String heading;
    private final int decimals;
    private final ToDoubleFunction<Measurement> value;

    Quantity(String key, String heading, int decimals, ToDoubleFunction<Measurement> value) {
        this.key = key;
        this.heading = heading;
        this.decimals = decimals;
        this.value = value;
    }

    /** In JSON and CSV. */
    String key() {
        return key;
    }

    /** With its unit. */
    String heading() {
        return heading;
    }

    double of(Measurement run) {
        return value.applyAsDouble(run);
    }

    String write(double number) {
        return String.format(Locale.ROOT, "%." + decimals + "f", number);
    }
}
