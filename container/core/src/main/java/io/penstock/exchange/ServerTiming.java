package io.penstock.exchange;

/**
 * Where the time of a request has gone until the head of its response was made (W3C Server Timing). Times are in nanoseconds; a phase that
 * the request has not been through is 0.
 *
 * @param head until the request's head had arrived
 * @param body from then until its body had
 * @param queue from then until a worker took the request
 * @param service from then until now
 */
public record ServerTiming(long head, long body, long queue, long service) {
    /** The client is not told. */
    public static final ServerTiming NONE = new ServerTiming(0, 0, 0, 0);
}
