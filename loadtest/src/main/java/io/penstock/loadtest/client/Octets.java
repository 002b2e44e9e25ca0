package io.penstock.loadtest.client;

import io.penstock.loadtest.client.HttpConnection.Exchange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads a range {@code [from, to)} of a buffer without creating strings. */
final class Octets {
    /** The result if the text is not a number, or the number is too large. */
    static final long NO_NUMBER = -1;

    private static final int MOST_DECIMAL_DIGITS = 18;
    private static final int MOST_HEX_DIGITS = 15;

    private Octets() {}

    /** The index of the first octet with this value, or -1. */
    static int indexOf(int octet, ByteBuffer bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes.get(i) == octet) {
                return i;
            }
        }
        return -1;
    }

    /** Whether the range is the text {@code lowerCase}, without regard to case. {@code lowerCase} must be in lower case. */
    static boolean is(byte[] lowerCase, ByteBuffer bytes, int from, int to) {
        if (to - from != lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            if (lowerCase(bytes.get(from + i)) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the range is a list, separated by commas, that contains the token {@code lowerCase}, without regard to case. */
    static boolean lists(byte[] lowerCase, ByteBuffer bytes, int from, int to) {
        int start = from;
        while (start < to) {
            int comma = indexOf(',', bytes, start, to);
            int end = comma < 0 ? to : comma;
            int first = skipBlanks(bytes, start, end);
            if (is(lowerCase, bytes, first, trimBlanks(bytes, first, end))) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }

    /** The index of the first octet in the range that is neither a space nor a tab; {@code to} if there is none. */
    static int skipBlanks(ByteBuffer bytes, int from, int to) {
        int i = from;
        while (i < to && isBlank(bytes.get(i))) {
            i++;
        }
        return i;
    }

    /** The end of the range after removal of the spaces and tabs at the end. */
    static int trimBlanks(ByteBuffer bytes, int from, int to) {
        int i = to;
        while (i > from && isBlank(bytes.get(i - 1))) {
            i--;
        }
        return i;
    }

    static long decimal(ByteBuffer bytes, int from, int to) {
        return number(bytes, from, to, 10, MOST_DECIMAL_DIGITS);
    }

    static long hexadecimal(ByteBuffer bytes, int from, int to) {
        return number(bytes, from, to, 16, MOST_HEX_DIGITS);
    }

    /** The range as text, for fields that an {@link Exchange} wants, and for error messages. */
    static String text(ByteBuffer bytes, int from, int to) {
        byte[] copy = new byte[to - from];
        bytes.get(from, copy);
        return new String(copy, StandardCharsets.ISO_8859_1);
    }

    private static long number(ByteBuffer bytes, int from, int to, int radix, int mostDigits) {
        if (from == to || to - from > mostDigits) {
            return NO_NUMBER;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            byte octet = bytes.get(i);
            // An octet from 128 to 255 is negative as a byte, and is not a digit.
            int digit = octet < 0 ? -1 : Character.digit(octet, radix);
            if (digit < 0) {
                return NO_NUMBER;
            }
            number = number * radix + digit;
        }
        return number;
    }

    static boolean isBlank(byte octet) {
        return octet == ' ' || octet == '\t';
    }

    private static byte lowerCase(byte octet) {
        return octet >= 'A' && octet <= 'Z' ? (byte) (octet + ('a' - 'A')) : octet;
    }
}
