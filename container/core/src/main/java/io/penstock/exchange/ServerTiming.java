package io.penstock.exchange;

/**
 * The times of a request's phases until the head of its response was made (W3C Server Timing), in nanoseconds. A phase that the request did
 * not have is 0.
 *
 * @param head until the request's head had arrived
 * @param body from then until its body had arrived
 * @param queue from then until a worker took the request
 * @param service from then until the head of the response was made
 */
public record ServerTiming(long head, long body, long queue, long service) {
    /** No times are sent to the client. */
    public static final ServerTiming NONE = new ServerTiming(0, 0, 0, 0);

    /**
     * Whether no times are sent. This method compares the fields itself: the first call of a record's {@code equals} takes long, and the
     * first response of a server would wait for it.
     */
    public boolean isNone() {
        return head == 0 && body == 0 && queue == 0 && service == 0;
    }
}
