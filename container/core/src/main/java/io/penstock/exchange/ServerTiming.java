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
    /** The name of the field. */
    public static final String FIELD = "Server-Timing";

    /** The value for a response without the field Server-Timing. */
    public static final ServerTiming NONE = new ServerTiming(0, 0, 0, 0);

    /**
     * Whether the response has no field Server-Timing. This method does not use {@code equals}: the first call of a record's {@code equals}
     * is slow, and would delay the first response of a server.
     */
    public boolean isNone() {
        return head == 0 && body == 0 && queue == 0 && service == 0;
    }

    /**
     * The value of the field: the phases that the request had, in milliseconds with three digits after the decimal point. The first one is
     * always present, so the list is never empty.
     */
    public String text() {
        StringBuilder text = new StringBuilder(96);
        metric(text, "head;dur=", head);
        if (body > 0) {
            metric(text, ", body;dur=", body);
        }
        if (queue > 0) {
            metric(text, ", queue;dur=", queue);
        }
        if (service > 0) {
            metric(text, ", service;dur=", service);
        }
        return text.toString();
    }

    private static void metric(StringBuilder text, String name, long nanos) {
        long micros = Math.max(0, nanos) / 1_000;
        text.append(name).append(micros / 1_000).append('.');
        text.append(Long.toString(1_000 + micros % 1_000), 1, 4);
    }
}
