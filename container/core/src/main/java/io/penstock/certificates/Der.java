package io.penstock.certificates;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes values in DER (ITU-T X.690). Supports only the types that a certificate and the envelope of a private key need. */
final class Der {
    static final int BOOLEAN = 0x01;
    static final int INTEGER = 0x02;
    static final int BIT_STRING = 0x03;
    static final int OCTET_STRING = 0x04;
    static final int OBJECT_IDENTIFIER = 0x06;
    static final int UTF8_STRING = 0x0C;
    static final int UTC_TIME = 0x17;
    static final int GENERALIZED_TIME = 0x18;
    static final int SEQUENCE = 0x30;
    static final int SET = 0x31;

    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED = 0x20;

    /** From this year on, X.509 writes times in the long form (RFC 5280 section 4.1.2.5). */
    private static final int LONG_YEARS = 2050;

    private static final DateTimeFormatter SHORT = time("yyMMddHHmmss'Z'");
    private static final DateTimeFormatter LONG = time("yyyyMMddHHmmss'Z'");

    private Der() {}

    private static DateTimeFormatter time(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
    }

    /** A value with its tag and length. */
    static byte[] value(int tag, byte[]... contents) {
        int length = 0;
        for (byte[] content : contents) {
            length += content.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int from = digits[0] == 0 ? 1 : 0;
            out.write(0x80 | (digits.length - from));
            out.write(digits, from, digits.length - from);
        }
        for (byte[] content : contents) {
            out.writeBytes(content);
        }
        return out.toByteArray();
    }

    static byte[] sequence(byte[]... members) {
        return value(SEQUENCE, members);
    }

    static byte[] set(byte[] member) {
        return value(SET, member);
    }

    /** A value inside an explicit tag, such as {@code [3]}. */
    static byte[] explicit(int number, byte[] value) {
        return value(CONTEXT | CONSTRUCTED | number, value);
    }

    /** The content of a simple value under an implicit tag, such as {@code [2]}. */
    static byte[] implicit(int number, byte[] content) {
        return value(CONTEXT | number, content);
    }

    static byte[] integer(BigInteger number) {
        return value(INTEGER, number.toByteArray());
    }

    static byte[] integer(int number) {
        return integer(BigInteger.valueOf(number));
    }

    static byte[] yes() {
        return value(BOOLEAN, new byte[] {(byte) 0xFF});
    }

    static byte[] octets(byte[] content) {
        return value(OCTET_STRING, content);
    }

    /** A bit string of whole octets. */
    static byte[] bits(byte[] content) {
        return value(BIT_STRING, new byte[] {0}, content);
    }

    static byte[] text(String text) {
        return value(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A time in the form of X.509, in whole seconds. */
    static byte[] time(Instant time) {
        boolean isLong = time.atZone(ZoneOffset.UTC).getYear() >= LONG_YEARS;
        String digits = (isLong ? LONG : SHORT).format(time);
        return value(isLong ? GENERALIZED_TIME : UTC_TIME, digits.getBytes(StandardCharsets.US_ASCII));
    }

    /** @param dotted such as {@code 1.2.840.10045.2.1} */
    static byte[] objectIdentifier(String dotted) {
        String[] arcs = dotted.split("\\.");
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        writeArc(content, Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            writeArc(content, Integer.parseInt(arcs[i]));
        }
        return value(OBJECT_IDENTIFIER, content.toByteArray());
    }

    /** Writes groups of seven bits; all groups but the last have the highest bit set. */
    private static void writeArc(ByteArrayOutputStream out, int arc) {
        int shift = 28;
        while (shift > 0 && arc >>> shift == 0) {
            shift -= 7;
        }
        for (; shift > 0; shift -= 7) {
            out.write(0x80 | (arc >>> shift & 0x7F));
        }
        out.write(arc & 0x7F);
    }
}
