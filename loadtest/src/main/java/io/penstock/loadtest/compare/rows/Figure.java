package io.penstock.loadtest.compare.rows;

import java.util.Locale;
import java.util.Optional;

/** A quantity that is measured in a {@link Turn}. */
enum Figure {
    REQUESTS("requestsPerSecond", "requests/s", 0, Better.HIGH),
    GIGABYTES("gigabytesPerSecond", "GB/s", 2, Better.HIGH),
    HANDSHAKES("handshakesPerSecond", "handshakes/s", 0, Better.HIGH),
    CPU("cpuMicrosPerRequest", "server CPU µs/request", 1, Better.LOW),
    HANDSHAKE_CPU("cpuMicrosPerHandshake", "server CPU µs/handshake", 0, Better.LOW),
    SWITCHES("switchesPerRequest", "voluntary switches/request", 2, Better.LOW),
    ALLOCATED("allocatedBytesPerRequest", "heap bytes/request", 0, Better.LOW),
    HEAP_EACH("heapBytesEach", "heap bytes/connection", 0, Better.LOW),
    START("firstResponseMillis", "first response, ms", 0, Better.LOW),
    TAIL("p99PerP50", "p99 / p50", 2, Better.LOW),
    IN_TIME("answeredWithinASecond", "answered within 1 s", 0, Better.HIGH),
    LONGEST("longestMillis", "longest, ms", 0, Better.LOW),
    QUICK_TAIL("quickP99Millis", "p99 of quick requests, ms", 1, Better.LOW),
    RESIDENT("residentMegabytes", "resident memory, MB", 0, Better.LOW),
    THREADS("threads", "threads", 0, Better.LOW),
    FAILED("notAnswered", "not answered", 0, Better.LOW),
    CLIENT("clientProcessors", "client, processors", 2, Better.LOW);

    /** Whether the higher or the lower of two values is better. */
    enum Better {
        HIGH,
        LOW
    }

    private final String key;
    private final String title;
    private final int decimals;
    private final Better better;

    Figure(String key, String title, int decimals, Better better) {
        this.key = key;
        this.title = title;
        this.decimals = decimals;
        this.better = better;
    }

    /** The name of the figure in JSON and CSV files. */
    String key() {
        return key;
    }

    /** The name of the figure in tables, with its unit. */
    String title() {
        return title;
    }

    boolean isHighBetter() {
        return better == Better.HIGH;
    }

    /** If this figure is a rate, the figure for the processor time of one request or handshake; otherwise empty. */
    Optional<Figure> cost() {
        return switch (this) {
            case REQUESTS, GIGABYTES -> Optional.of(CPU);
            case HANDSHAKES -> Optional.of(HANDSHAKE_CPU);
            default -> Optional.empty();
        };
    }

    /** Writes a value for a table. {@linkplain Double#POSITIVE_INFINITY Infinity} is the time of an event that did not happen. */
    String write(double value) {
        return Double.isInfinite(value) ? "never" : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
