package io.penstock.http1;

import io.penstock.http.HttpDate;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** The Date field (RFC 9110 section 6.6.1), composed once a second. Any thread. */
final class DateField {

    private static final class Line {
        final long second;
        final byte[] bytes;

        Line(long second) {
            this.second = second;
            this.bytes = HeadEncoder.ascii("Date: " + HttpDate.format(Instant.ofEpochSecond(second)) + "\r\n");
        }
    }

    private final AtomicReference<Line> line = new AtomicReference<>(new Line(0));

    void put(ByteBuffer out) {
        long second = System.currentTimeMillis() / 1000;
        Line current = Objects.requireNonNull(line.get());
        if (current.second != second) {
            current = new Line(second);
            line.set(current);
        }
        out.put(current.bytes);
    }
}
