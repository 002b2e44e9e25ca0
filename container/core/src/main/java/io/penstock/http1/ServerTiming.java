package io.penstock.http1;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.nio.charset.StandardCharsets;

/**
 * Writes the field that tells a client where the time of its request has gone until the head of the response was made (W3C Server
 * Timing). Browsers show it beside their own figures.
 */
final class ServerTiming {
    private static final String NAME = "Server-Timing";

    private static final byte[] HEAD = ascii("head;dur=");
    private static final byte[] BODY = ascii(", body;dur=");
    private static final byte[] QUEUE = ascii(", queue;dur=");
    private static final byte[] SERVICE = ascii(", service;dur=");

    /** Digits of the longest time there is. */
    private static final int MOST_DIGITS = 20;

    private ServerTiming() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The same head with the field behind what the application says, which may have one of its own. Times are in nanoseconds. */
    static ResponseHead added(ResponseHead head, long arrivalOfHead, long body, long queue, long service) {
        byte[] value = new byte[HEAD.length + BODY.length + QUEUE.length + SERVICE.length + 4 * MOST_DIGITS];
        int end = metric(value, 0, HEAD, arrivalOfHead);
        end = metric(value, end, BODY, body);
        end = metric(value, end, QUEUE, queue);
        end = metric(value, end, SERVICE, service);
        String text = new String(value, 0, end, StandardCharsets.ISO_8859_1);
        return new ResponseHead(head.status(), new OneMore(head.fields(), text), head.contentLength());
    }

    /** In milliseconds, with three digits behind the point; returns where it ends. */
    private static int metric(byte[] target, int start, byte[] name, long nanos) {
        System.arraycopy(name, 0, target, start, name.length);
        long micros = Math.max(0, nanos) / 1000;
        int digits = 4;
        for (long rest = micros / 10_000; rest > 0; rest /= 10) {
            digits++;
        }
        int first = start + name.length;
        int end = first + digits + 1;
        for (int i = end - 1; i >= first; i--) {
            if (i == end - 4) {
                target[i] = '.';
            } else {
                target[i] = (byte) ('0' + micros % 10);
                micros /= 10;
            }
        }
        return end;
    }

    /** The fields of somebody else, without a copy, and this one as the last. */
    private record OneMore(Fields given, String value) implements Fields {

        @Override
        public int size() {
            return given.size() + 1;
        }

        @Override
        public String name(int index) {
            return index == given.size() ? NAME : given.name(index);
        }

        @Override
        public String value(int index) {
            return index == given.size() ? value : given.value(index);
        }

        @Override
        public boolean isNamed(int index, String name) {
            return index == given.size() ? NAME.equalsIgnoreCase(name) : given.isNamed(index, name);
        }
    }
}
