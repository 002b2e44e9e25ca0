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
     * Adds the field's line, unless there is nothing to report. Phases that the request did not have are left out. If the application has
     * added a field of that name, clients combine both to one list.
     */
    static void put(ServerTiming timing, ByteBuffer out) {
        if (timing.isNone()) {
            return;
        }
        out.put(NAME);
        metric(out, HEAD, timing.head()); // always present, so that the list is never empty
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

    /** Writes a time in milliseconds, with three digits behind the point. */
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
