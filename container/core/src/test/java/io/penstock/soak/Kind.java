package io.penstock.soak;

/** The kinds of requests, with the weight of each kind. */
enum Kind {
    PLAIN(30),
    FORM(8),
    SMALL_BODY(14),
    LARGE_BODY(4),
    CHUNKED_BODY(6),
    LARGE_ANSWER(4),
    MULTIPART(5),
    LARGE_MULTIPART(2),
    /** Reads the body while the client sends it. */
    STREAM(5),
    /** Reads the body in non-blocking mode. */
    LISTEN(4),
    /** A thread of the application completes the request. The application writes to the response again after its end. */
    ASYNC_THREAD(6),
    ASYNC_START(4),
    ASYNC_TIMEOUT(3),
    ASYNC_DISPATCH(5),
    /**
     * The completion and the timeout occur at the same moment. Either of them can be the first. There is no answer if the timeout occurs
     * while a thread writes.
     */
    ASYNC_RACE(3),
    SESSION(6),
    ERROR(4),
    THROW(2),
    NOT_FOUND(2),
    /** A body with invalid framing. The server closes the connection after the answer. */
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

    /** Returns the kind for any random number. */
    static Kind drawn(long number) {
        int left = (int) Math.floorMod(number, (long) ALL);
        for (Kind kind : values()) {
            left -= kind.weight;
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("the weights do not add up");
    }
}
