package io.penstock.loadtest.compare.users;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The quantities of a {@link Run} that are reported. They are the columns of the tables. */
enum Quantity {
    RATE("requestsPerSecond", "requests/s", 0, Run::answersPerSecond),
    P50("p50Millis", "p50, ms", 2, run -> run.p50Micros() / 1e3),
    P99("p99Millis", "p99, ms", 2, run -> run.p99Micros() / 1e3),
    P999("p999Millis", "p99.9, ms", 2, run -> run.p999Micros() / 1e3),
    CONNECT_ERRORS("connectErrorsPerMinute", "connect errors/min", 0, Run::connectErrorsPerMinute),
    TROUBLES("otherErrors", "other errors", 0, Run::troubles),
    UNANSWERED("usersWithoutAnswer", "users without answer", 0, Run::usersWithoutAnswer),
    CPU("cpuMicrosPerRequest", "CPU µs/request", 1, Run::cpuMicrosPerAnswer),
    THREADS("threads", "threads", 0, Run::threads),
    RESIDENT("residentMegabytes", "resident, MB", 0, run -> run.residentBytes() / 1e6),
    HEAP("heapMegabytes", "heap, MB", 1, run -> run.heapBytes() / 1e6);

    private final String key;
    private final String heading;
    private final int decimals;
    private final ToDoubleFunction<Run> value;

    Quantity(String key, String heading, int decimals, ToDoubleFunction<Run> value) {
        this.key = key;
        this.heading = heading;
        this.decimals = decimals;
        this.value = value;
    }

    /** The name of the quantity in CSV files. */
    String key() {
        return key;
    }

    /** The heading of the quantity in tables, with its unit. */
    String heading() {
        return heading;
    }

    double of(Run run) {
        return value.applyAsDouble(run);
    }

    String write(double number) {
        return String.format(Locale.ROOT, "%." + decimals + "f", number);
    }
}
