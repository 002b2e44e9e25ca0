package io.penstock.soak;

/** The kinds of requests. A kind with a larger weight is sent more often. */
enum Kind {
    PLAIN(30),
    FORM(8),
    SMALL_BODY(14),
    LARGE_BODY(4),
    CHUNKED_BODY(6),
    LARGE_ANSWER(4),
    MULTIPART(5),
    LARGE_MULTIPART(2),
    /** The servlet reads the body while the client sends the body. */
    STREAM(5),
    /** The servlet reads the body in non-blocking mode. */
    LISTEN(4),
    /** A thread of the application completes the request. The application writes to the response again after the response has ended. */
    ASYNC_THREAD(6),
    ASYNC_START(4),
    ASYNC_TIMEOUT(3),
    ASYNC_DISPATCH(5),
    /**
     * The completion and the timeout occur almost at the same time, in any order. There is no response if the timeout occurs while a thread
     * writes.
     */
    ASYNC_RACE(3),
    SESSION(6),
    ERROR(4),
    THROW(2),
    NOT_FOUND(2),
    /** A body with invalid framing. The server closes the connection after the response. */
    BROKEN_BODY(2);

    private static final int ALL = sum();

    private final int weight;

    Kind(int weight) {
        this.weight = weight;
    }

    private static int sum() {
        int sum = 0;
        for (Kind kind : values()) {
            sum += kind.weight;
        }
        return sum;
    }

    /** Maps a random number to a kind, according to the weights. */
    static Kind drawn(long number) {
        int left = (int) Math.floorMod(number, (long) ALL);
        for (Kind kind : values()) {
            left -= kind.weight;
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("the sum of the weights is wrong");
    }
}
