package io.penstock.loadtest.slow;

/** How a slow client is slow. */
enum Kind {
    /** It has had an answer and keeps its connection. */
    IDLE,
    /** It has sent half a head, and sends nothing more. */
    HALF_HEAD,
    /** It sends the bodies of its requests drop by drop. */
    DRIPPING
}
