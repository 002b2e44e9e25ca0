package io.penstock.certificates;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes values in DER (ITU-T X.690). This class supports only the types that certificates and PKCS#8 keys need. */
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

    /** The first year for which certificates use the time format with four digits of the year (RFC 5280 section 4.1.2.5). */
    private static final int LONG_YEARS = 2050;

    private static final DateTimeFormatter SHORT = time("yyMMddHHmmss'Z'");
    private static final DateTimeFormatter LONG = time("yyyyMMddHHmmss'Z'");

    private Der() {}

    private static DateTimeFormatter time(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
    }

    /** Returns a value with its tag and its length. */
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

    /** Returns a value inside an explicit tag, such as {@code [3]}. */
    static byte[] explicit(int number, byte[] value) {
        return value(CONTEXT | CONSTRUCTED | number, value);
    }

    /** Returns the content of a primitive value with an implicit tag, such as {@code [2]}. */
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

    /** Returns a bit string that consists of whole octets. */
    static byte[] bits(byte[] content) {
        return value(BIT_STRING, new byte[] {0}, content);
    }

    static byte[] text(String text) {
        return value(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a time in the format of certificates, in whole seconds. */
    static byte[] time(Instant time) {
        boolean isLong = time.atZone(ZoneOffset.UTC).getYear() >= LONG_YEARS;
        String digits = (isLong ? LONG : SHORT).format(time);
        return value(isLong ? GENERALIZED_TIME : UTC_TIME, digits.getBytes(StandardCharsets.US_ASCII));
    }

    /** @param dotted the identifier as text, such as {@code 1.2.840.10045.2.1} */
    static byte[] objectIdentifier(String dotted) {
        String[] arcs = dotted.split("\\.");
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        writeArc(content, Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            writeArc(content, Integer.parseInt(arcs[i]));
        }
        return value(OBJECT_IDENTIFIER, content.toByteArray());
    }

    /** Writes a number in groups of seven bits. In each byte except the last one the highest bit is set. */
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
