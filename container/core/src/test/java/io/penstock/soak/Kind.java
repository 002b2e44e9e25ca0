package io.penstock.soak;

/** What requests there are, and how many of each among all. */
enum Kind {
    PLAIN(30),
    FORM(8),
    SMALL_BODY(14),
    LARGE_BODY(4),
    CHUNKED_BODY(6),
    LARGE_ANSWER(4),
    MULTIPART(5),
    LARGE_MULTIPART(2),
    /** Reads from the pipe while the client sends. */
    STREAM(5),
    /** Reads without blocking. */
    LISTEN(4),
    /** Completed by a thread of the application, which goes on writing when it is too late. */
    ASYNC_THREAD(6),
    ASYNC_START(4),
    ASYNC_TIMEOUT(3),
    ASYNC_DISPATCH(5),
    /** Completion and time-out at the same moment: whichever wins, and no answer if the time is over while a thread writes. */
    ASYNC_RACE(3),
    SESSION(6),
    ERROR(4),
    THROW(2),
    NOT_FOUND(2),
    /** A body that breaks its own framing: the connection ends with the answer. */
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

    /** {@code number} is any. */
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
