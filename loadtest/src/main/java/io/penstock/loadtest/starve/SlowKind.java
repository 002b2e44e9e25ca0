package io.penstock.loadtest.starve;

import io.penstock.loadtest.crowd.SlowClient;
import java.util.List;
import java.util.Locale;

/** The kinds of slow clients. Each kind is tried without the other kinds. */
enum SlowKind {
    HEADS("slow head", "slow heads", SlowClient.HALF_HEAD),
    UPLOADS("slow upload", "slow uploads", SlowClient.UPLOAD),
    READERS("slow reader", "slow readers", SlowClient.READER),
    IDLE("idle connection", "idle connections", SlowClient.IDLE),
    H2_READERS("slow reader over HTTP/2", "slow readers over HTTP/2", SlowClient.H2_READER),
    H2_UPLOADS("slow upload over HTTP/2", "slow uploads over HTTP/2", SlowClient.H2_UPLOAD);

    /** The kinds that every server understands. */
    static final List<SlowKind> OF_HTTP_1 = List.of(HEADS, UPLOADS, READERS, IDLE);

    private final String one;
    private final String many;
    private final SlowClient client;

    SlowKind(String one, String many, SlowClient client) {
        this.one = one;
        this.many = many;
        this.client = client;
    }

    SlowClient client() {
        return client;
    }

    boolean isUpload() {
        return this == UPLOADS || this == H2_UPLOADS;
    }

    boolean isReader() {
        return this == READERS || this == H2_READERS;
    }

    /** The number of bytes per second that a client of this kind sends or reads when it is slow. A stream of HTTP/2 reads only once. */
    double bytesASecond(SlowClient.Manner manner) {
        int bytes = isUpload() ? manner.drop() : this == READERS ? manner.read() : 0;
        return 1e3 * bytes / manner.pauseMillis();
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
