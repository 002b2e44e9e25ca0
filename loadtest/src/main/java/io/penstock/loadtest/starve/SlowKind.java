package io.penstock.loadtest.starve;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.Kind;
import java.util.List;
import java.util.Locale;

/** The kinds of slow clients. Each kind is tried without the other kinds. */
enum SlowKind {
    /** Clients that send half of a request head. */
    HEADS("slow head", "slow heads"),
    /** Clients that send a request body slowly, a few bytes at a time. */
    UPLOADS("slow upload", "slow uploads"),
    /** Clients that read a large response slowly, a few bytes at a time. */
    READERS("slow reader", "slow readers"),
    /** Clients that keep their connection open after one response. */
    IDLE("idle connection", "idle connections"),
    /** Streams of HTTP/2 whose response is large. The client never enlarges the window of a stream. */
    H2_READERS("slow reader over HTTP/2", "slow readers over HTTP/2"),
    /** Streams of HTTP/2 that send a request body slowly, a few bytes at a time. */
    H2_UPLOADS("slow upload over HTTP/2", "slow uploads over HTTP/2");

    /** The kinds that every server understands. */
    static final List<SlowKind> OF_HTTP_1 = List.of(HEADS, UPLOADS, READERS, IDLE);

    private final String one;
    private final String many;

    /**
     * The requests of slow clients, and the speed at which they send and read.
     *
     * @param normal the target of half-sent heads and idle connections
     * @param upload the target of slow uploads
     * @param large the target of slow readers, which has a large response
     * @param uploadLength the length of the body of a slow upload, in bytes
     * @param drop the number of bytes of a body that are sent at a time
     * @param read the number of bytes of a response that are read at a time, and the window of a stream
     * @param streams the number of streams of a connection of HTTP/2
     * @param pauseMillis the pause after each piece of a body or response, in milliseconds
     */
    record Manner(
            Target normal,
            Target upload,
            Target large,
            int uploadLength,
            int drop,
            int read,
            int streams,
            int pauseMillis) {}

    SlowKind(String one, String many) {
        this.one = one;
        this.many = many;
    }

    CrowdPlan crowd(Manner manner, int clients) {
        Kind each =
                switch (this) {
                    case HEADS -> new Kind.HalfHead(manner.normal());
                    case UPLOADS, H2_UPLOADS ->
                        new Kind.Upload(manner.upload(), manner.uploadLength(), 0, manner.drop(), manner.pauseMillis());
                    case READERS, H2_READERS -> new Kind.Reader(manner.large(), manner.read(), manner.pauseMillis());
                    case IDLE -> new Kind.Idle(manner.normal());
                };
        return OF_HTTP_1.contains(this)
                ? CrowdPlan.of(clients, each)
                : CrowdPlan.ofStreams(clients, manner.streams(), each);
    }

    /** The number of bytes per second that a client of this kind sends or reads when it is slow. */
    double bytesASecond(Manner manner) {
        return switch (this) {
            case HEADS, IDLE, H2_READERS -> 0;
            case UPLOADS, H2_UPLOADS -> 1e3 * manner.drop() / manner.pauseMillis();
            case READERS -> 1e3 * manner.read() / manner.pauseMillis();
        };
    }

    /** A number of clients as text, such as {@code 1 slow head} or {@code 200 slow heads}. */
    String counted(int number) {
        return number + " " + (number == 1 ? one : many);
    }

    /** The name of the kind in the plural, such as {@code slow heads}. */
    String words() {
        return many;
    }

    /** The name of the kind on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
