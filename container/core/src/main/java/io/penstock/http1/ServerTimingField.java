package io.penstock.http1;

import io.penstock.exchange.ServerTiming;
import java.nio.ByteBuffer;

/** The field {@code Server-Timing}, which browsers show in their developer tools. Thread: any. */
final class ServerTimingField {
    private static final byte[] NAME = HeadEncoder.ascii("Server-Timing: ");
    private static final byte[] HEAD = HeadEncoder.ascii("head;dur=");
    private static final byte[] BODY = HeadEncoder.ascii(", body;dur=");
    private static final byte[] QUEUE = HeadEncoder.ascii(", queue;dur=");
    private static final byte[] SERVICE = HeadEncoder.ascii(", service;dur=");

    private ServerTimingField() {}

    /**
     * Adds the field's line, unless there is nothing to report. A phase that the request did not have is not listed. If the application has
     * added a field {@code Server-Timing}, clients combine the two fields into one list.
     */
    static void put(ServerTiming timing, ByteBuffer out) {
        if (timing.isNone()) {
            return;
        }
        out.put(NAME);
        // This metric is always present, so the list is never empty.
        metric(out, HEAD, timing.head());
        if (timing.body() > 0) {
            metric(out, BODY, timing.body());
        }
        if (timing.queue() > 0) {
            metric(out, QUEUE, timing.queue());
        }
        if (timing.service() > 0) {
            metric(out, SERVICE, timing.service());
        }
        HeadEncoder.crlf(out);
    }

    /** Writes a time in milliseconds, with three digits after the decimal point. */
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
