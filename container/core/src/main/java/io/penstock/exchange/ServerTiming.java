package io.penstock.exchange;

/**
 * The durations of a request's phases, in nanoseconds, for the field Server-Timing (W3C Server Timing). The last phase ends when the head
 * of the response is created. The duration is 0 for a phase that the request did not have.
 *
 * @param head the time from the first byte of the request until the head had arrived
 * @param body the time from the end of {@code head} until the body of the request had arrived
 * @param queue the time from the end of {@code body} until a worker took the request
 * @param service the time from the end of {@code queue} until the head of the response was created
 */
public record ServerTiming(long head, long body, long queue, long service) {
    /** The value for a response without the field Server-Timing. */
    public static final ServerTiming NONE = new ServerTiming(0, 0, 0, 0);

    /**
     * Whether the response has no field Server-Timing. This method does not use {@code equals}: the first call of a record's {@code equals}
     * is slow, and would delay the first response of a server.
     */
    public boolean isNone() {
        return head == 0 && body == 0 && queue == 0 && service == 0;
    }
}
