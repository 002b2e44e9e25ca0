package io.penstock.http1;

import java.nio.ByteBuffer;

/**
 * What a client is told of where the time of its request has gone until the head of the response was made (W3C Server Timing). Browsers
 * show it beside their own figures. Times are in nanoseconds; what the request has not been through is 0, and left out.
 *
 * @param head until the request's head was there
 * @param body from then until its body was
 * @param queue from then until a worker took it
 * @param service from then until now
 */
record ServerTiming(long head, long body, long queue, long service) {
    /** Nothing is told. */
    static final ServerTiming NONE = new ServerTiming(0, 0, 0, 0);

    private static final byte[] NAME = HeadEncoder.ascii("Server-Timing: ");
    private static final byte[] HEAD = HeadEncoder.ascii("head;dur=");
    private static final byte[] BODY = HeadEncoder.ascii(", body;dur=");
    private static final byte[] QUEUE = HeadEncoder.ascii(", queue;dur=");
    private static final byte[] SERVICE = HeadEncoder.ascii(", service;dur=");

    /** Adds the field's line. The application may have said a field of its own of that name: both are one list. */
    void put(ByteBuffer out) {
        if (equals(NONE)) {
            return;
        }
        out.put(NAME);
        metric(out, HEAD, head); // always, so that the list is never empty
        if (body > 0) {
            metric(out, BODY, body);
        }
        if (queue > 0) {
            metric(out, QUEUE, queue);
        }
        if (service > 0) {
            metric(out, SERVICE, service);
        }
        HeadEncoder.crlf(out);
    }

    /** In milliseconds, with three digits behind the point. */
    private static void metric(ByteBuffer out, byte[] name, long nanos) {
        long micros = Math.max(0, nanos) / 1_000;
        int fraction = (int) (micros % 1_000);
        out.put(name);
        HeadEncoder.decimal(out, micros / 1_000);
        out.put((byte) '.')
                .put((byte) ('0' + fraction / 100))
                .put((byte) ('0' + fraction / 10 % 10))
                .put((byte) ('0' + fraction % 10));
    }
}
