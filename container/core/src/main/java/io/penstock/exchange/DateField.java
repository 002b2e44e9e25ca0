package io.penstock.exchange;

import io.penstock.http.HttpDate;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** The Date field (RFC 9110 section 6.6.1) as a protocol writes it, composed once a second. Any thread. */
public final class DateField {
    private final byte[] before;
    private final byte[] behind;
    private final AtomicReference<Encoded> encoded;

    private static final class Encoded {
        final long second;
        final byte[] bytes;

        Encoded(long second, byte[] bytes) {
            this.second = second;
            this.bytes = bytes;
        }
    }

    /**
     * @param before the bytes before the value, which has always 29 characters: the name, in the protocol's encoding
     * @param behind the bytes behind the value
     */
    public DateField(byte[] before, byte[] behind) {
        this.before = before;
        this.behind = behind;
        this.encoded = new AtomicReference<>(encode(0));
    }

    private Encoded encode(long second) {
        byte[] value = HttpDate.format(Instant.ofEpochSecond(second)).getBytes(StandardCharsets.US_ASCII);
        ByteBuffer field = ByteBuffer.allocate(before.length + value.length + behind.length);
        return new Encoded(second, field.put(before).put(value).put(behind).array());
    }

    public void put(ByteBuffer out) {
        long second = System.currentTimeMillis() / 1000;
        Encoded current = Objects.requireNonNull(encoded.get());
        if (current.second != second) {
            current = encode(second);
            encoded.set(current);
        }
        out.put(current.bytes);
    }
}
