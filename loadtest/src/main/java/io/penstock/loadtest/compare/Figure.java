package io.penstock.loadtest.compare;

import java.util.Locale;
import java.util.Optional;

/** A quantity that is measured in a {@link Results.Turn}: the table of all columns. */
enum Figure {
    REQUESTS("requestsPerSecond", "requests/s", 0, Better.HIGH),
    GIGABYTES("gigabytesPerSecond", "GB/s", 2, Better.HIGH),
    MESSAGES("messagesPerSecond", "messages/s", 0, Better.HIGH),
    HANDSHAKES("handshakesPerSecond", "handshakes/s", 0, Better.HIGH),
    CPU("cpuMicrosPerRequest", "server CPU µs/request", 1),
    HANDSHAKE_CPU("cpuMicrosPerHandshake", "server CPU µs/handshake", 0),
    MESSAGE_CPU("cpuMicrosPerMessage", "server CPU µs/message", 1),
    WIRE("wireBytesPerMessage", "bytes on the wire/message", 0),
    SWITCHES("switchesPerRequest", "voluntary switches/request", 2),
    ALLOCATED("allocatedBytesPerRequest", "heap bytes/request", 0),
    TAIL("p99PerP50", "p99 / p50", 2),

    // Memory of idle connections.
    STANDING("connections", "idle connections", 0, Better.HIGH),
    HEAP_EACH("heapBytesEach", "heap bytes/connection", 0),
    RESIDENT_EACH("residentBytesEach", "resident bytes outside the heap/connection", 0),
    ENGINE("engineBytes", "heap bytes of a TLS engine alone", 0),
    BESIDE_ENGINE("heapBytesBesideEngine", "heap bytes/connection beside the engine", 0),

    // Start.
    LISTENS("listensMillis", "listens, ms", 0),
    START("firstResponseMillis", "first response, ms", 0),
    START_CPU("cpuMillis", "CPU until then, ms", 0),
    START_RESIDENT("residentAtStartMegabytes", "resident then, MB", 0),

    // Requests at a rate, alone and beside other clients. Latency counts from the moment at which a request was due.
    DUE("requests", "requests", 0, Better.HIGH),
    ANSWERED("answered", "answered in time", 0, Better.HIGH),
    FAILED("notAnswered", "not answered", 0),
    ALONE_FAILED("notAnsweredAlone", "not answered alone", 0),
    ALONE_P50("p50AloneMillis", "p50 alone, ms", 3),
    P50("p50Millis", "p50, ms", 3),
    ALONE_P99("p99AloneMillis", "p99 alone, ms", 3),
    P99("p99Millis", "p99, ms", 3),
    P99_OF_ALLOWED("p99OfAllowed", "p99 / allowed p99", 2),
    P999("p999Millis", "p99.9, ms", 3),
    MOST("maxMillis", "max, ms", 3),
    QUICK_TAIL("quickP99Millis", "p99 of quick requests, ms", 1),
    IN_TIME("answeredWithinASecond", "answered within 1 s", 0, Better.HIGH),
    LONGEST("longestMillis", "longest, ms", 0),

    // Users.
    CONNECT_ERRORS("connectErrorsPerMinute", "connect errors/min", 0),
    UNSERVED("usersWithoutAnswer", "users without answer", 0),

    // Overload.
    NORMAL("normalMillis", "p50 before, ms", 1),
    GOODPUT("goodput", "good, 1/s", 1, Better.HIGH),
    SHARE("shareOfCapacity", "of capacity, %", 1, Better.HIGH),
    GOOD_P99("goodP99Millis", "p99 of good, ms", 0),
    REFUSED("refusedShare", "503 at once, %", 1),
    REFUSED_P50("refusedP50Millis", "p50 of these, ms", 1),
    REFUSED_P999("refusedP999Millis", "p99.9 of 503 at once, ms", 1),
    OUTDATED("outdatedShare", "503 when overload was found, %", 1),
    OUTDATED_P999("outdatedP999Millis", "p99.9 of these, ms", 0),
    AGED("agedShare", "503 for age, %", 1),
    AGED_P999("agedP999BeyondMillis", "p99.9 of 503 for age beyond the age, ms", 1),
    TIMEOUTS("timeoutShare", "no answer in time, %", 1),
    CONNECT("connectErrorShare", "connect errors, %", 1),
    BROKEN("brokenShare", "other, %", 1),
    RECOVERY("recoveryMillis", "normal again after, ms", 0),

    // WebSocket readers that do not read.
    SENT("messagesSent", "messages sent", 0, Better.HIGH),
    READ("messagesRead", "messages read by each honest reader, mean", 0, Better.HIGH),
    FEWEST_READ("fewestMessagesRead", "fewest messages of an honest reader", 0, Better.HIGH),
    CALL_P999("callP999Millis", "p99.9 of the sender's calls, ms", 3),
    CALL_MOST("callMostMillis", "longest call of the sender, ms", 1),
    CALLS_FAILED("callsFailed", "failed calls of the sender", 0),
    DEAD_CLOSED("deadClosed", "dead readers closed", 0, Better.HIGH),

    // A change of the certificate.
    MADE("handshakes", "handshakes", 0, Better.HIGH),
    CERTIFICATES("certificatesSeen", "new certificates seen", 0, Better.HIGH),
    UNTIL_NEW("untilNewMillis", "longest time until a new certificate was seen, ms", 0),
    OLD("oldAfterNew", "handshakes with an old certificate afterwards", 0),

    // Sessions in Redis.
    REDIS_CPU("redisCpuMicrosPerRequest", "Redis CPU µs/request", 1),
    REDIS_CALLS("callsPerRequest", "Redis calls/request", 2),
    REDIS_BYTES("redisBytesPerRequest", "bytes to and from Redis/request", 0),
    STORED("storedBytesEach", "bytes in Redis for a session", 0),
    SESSION_HEAP("sessionHeapBytesEach", "heap bytes for a session", 0),
    ONE_OWN("oneNodeOwnLost", "one node: own lost", 0),
    ONE_COUNTER("oneNodeCounterLost", "one node: counter lost", 0),
    ONE_IN_PLACE("oneNodeInPlaceLost", "one node: in place lost", 0),
    TWO_OWN("twoNodesOwnLost", "two nodes: own lost", 0),
    TWO_COUNTER("twoNodesCounterLost", "two nodes: counter lost", 0),
    TWO_IN_PLACE("twoNodesInPlaceLost", "two nodes: in place lost", 0),

    // The process of the server, and the client.
    CALLS("callsOpen", "most calls of service open", 0),
    PERMIT("permitMillis", "longest permit, ms", 1),
    OWN_PERMIT("ownPermitMillis", "longest permit for fast clients, ms", 1),
    THREADS("threads", "threads", 0),
    HEAP("heapMegabytes", "live heap, MB", 1),
    RESIDENT("residentMegabytes", "resident memory, MB", 0),
    ALLOWED("residentAllowedMegabytes", "allowed, MB", 0),
    KERNEL("kernelMegabytes", "kernel memory for sockets, MB", 0),
    CLIENT("clientProcessors", "client, processors", 2);

    enum Better {
        HIGH,
        LOW
    }

    private final String key;
    private final String title;
    private final int decimals;
    private final Better better;

    Figure(String key, String title, int decimals) {
        this(key, title, decimals, Better.LOW);
    }

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

    /** If this figure is a rate, the figure for the processor time of one request, handshake or message; otherwise empty. */
    Optional<Figure> cost() {
        return switch (this) {
            case REQUESTS, GIGABYTES -> Optional.of(CPU);
            case HANDSHAKES -> Optional.of(HANDSHAKE_CPU);
            case MESSAGES -> Optional.of(MESSAGE_CPU);
            default -> Optional.empty();
        };
    }

    /** Writes a value for a table. {@linkplain Double#POSITIVE_INFINITY Infinity} is the time of an event that did not happen. */
    String write(double value) {
        return Double.isInfinite(value) ? "never" : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
