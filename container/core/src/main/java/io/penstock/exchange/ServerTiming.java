package io.penstock.exchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

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

    /** Each of the four metrics has at most 17 characters of text, and 17 of a number. */
    public static final int MAX_LENGTH = 4 * 34;

    private static final byte[] HEAD = ascii("head;dur=");
    private static final byte[] BODY = ascii(", body;dur=");
    private static final byte[] QUEUE = ascii(", queue;dur=");
    private static final byte[] SERVICE = ascii(", service;dur=");

    /**
     * Writes the value of the field: the phases that the request had, in milliseconds with three digits after the decimal point. The first
     * one is always present, so the list is never empty. The length is at most {@link #MAX_LENGTH}.
     */
    public void put(ByteBuffer out) {
        metric(out, HEAD, head);
        if (body > 0) {
            metric(out, BODY, body);
        }
        if (queue > 0) {
            metric(out, QUEUE, queue);
        }
        if (service > 0) {
            metric(out, SERVICE, service);
        }
    }

    /** The value of the field, as {@link #put} writes it. */
    public String text() {
        ByteBuffer out = ByteBuffer.allocate(MAX_LENGTH);
        put(out);
        return new String(out.array(), 0, out.position(), StandardCharsets.ISO_8859_1);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void metric(ByteBuffer out, byte[] name, long nanos) {
        long micros = Math.max(0, nanos) / 1_000;
        out.put(name);
        decimal(out, micros / 1_000);
        int thousandths = (int) (micros % 1_000);
        out.put((byte) '.')
                .put((byte) ('0' + thousandths / 100))
                .put((byte) ('0' + thousandths / 10 % 10))
                .put((byte) ('0' + thousandths % 10));
    }

    private static void decimal(ByteBuffer out, long value) {
        if (value >= 10) {
            decimal(out, value / 10);
        }
        out.put((byte) ('0' + value % 10));
    }
}
