package io.penstock.loadtest.starve;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.Kind;
import java.util.Locale;

/** The kinds of slow clients that are tried, each alone. */
enum SlowKind {
    /** They send half a head. */
    HEADS("slow head", "slow heads"),
    /** They send a body some bytes at a time. */
    UPLOADS("slow upload", "slow uploads"),
    /** They read a large response some bytes at a time. */
    READERS("slow reader", "slow readers"),
    /** They keep their connection after one response. */
    IDLE("idle connection", "idle connections");

    private final String one;
    private final String many;

    /**
     * The requests of slow clients, and their pace.
     *
     * @param normal the target of heads and idle connections
     * @param drop bytes of a body sent at a time
     * @param read bytes of a response read at a time
     * @param pauseMillis between two drops or two reads
     */
    record Manner(Target normal, Target upload, Target large, int uploadLength, int drop, int read, int pauseMillis) {}

    SlowKind(String one, String many) {
        this.one = one;
        this.many = many;
    }

    Kind of(Manner manner) {
        return switch (this) {
            case HEADS -> new Kind.HalfHead(manner.normal());
            case UPLOADS ->
                new Kind.Upload(manner.upload(), manner.uploadLength(), 0, manner.drop(), manner.pauseMillis());
            case READERS -> new Kind.Reader(manner.large(), manner.read(), manner.pauseMillis());
            case IDLE -> new Kind.Idle(manner.normal());
        };
    }

    /** The bytes that a client of this kind sends or reads per second, once it is slow. */
    double bytesASecond(Manner manner) {
        return switch (this) {
            case HEADS, IDLE -> 0;
            case UPLOADS -> 1e3 * manner.drop() / manner.pauseMillis();
            case READERS -> 1e3 * manner.read() / manner.pauseMillis();
        };
    }

    /** {@code 1 slow head}, {@code 200 slow heads}. */
    String counted(int number) {
        return number + " " + (number == 1 ? one : many);
    }

    /** {@code slow heads}. */
    String words() {
        return many;
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
