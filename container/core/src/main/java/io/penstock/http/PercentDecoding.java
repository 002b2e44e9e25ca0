package io.penstock.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Decodes percent-encoded text strictly (RFC 3986 section 2.1): a bad escape or malformed octets cause a violation. A plus sign stands for
 * itself; {@link FormParser} decodes forms.
 */
final class PercentDecoding {

    private PercentDecoding() {}

    /** Decodes {@code text} between two indices. Each char of {@code text} stands for one octet. */
    static String decode(String text, int from, int to, Charset charset) throws Violation {
        int plain = from;
        while (plain < to && isItself(text.charAt(plain))) {
            plain++;
        }
        if (plain == to) {
            return text.substring(from, to);
        }
        byte[] octets = new byte[to - from];
        int count = 0;
        boolean ascii = true;
        for (int i = from; i < to; i++) {
            int octet = text.charAt(i);
            if (octet == '%') {
                octet = escape(text, i, to);
                i += 2;
            } else if (octet > 0xFF) {
                throw new Violation(400, "character beyond an octet in percent-encoded text");
            }
            ascii &= octet < 0x80;
            octets[count++] = (byte) octet;
        }
        return ascii
                ? new String(octets, 0, count, StandardCharsets.ISO_8859_1)
                : decodeStrictly(octets, 0, count, charset);
    }

    static String decodeStrictly(byte[] octets, int from, int length, Charset charset) throws Violation {
        try {
            return charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(octets, from, length))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new Violation(400, "octets that are not valid " + charset.name());
        }
    }

    /** Returns the octet of the escape whose percent sign is at the index {@code at}. */
    private static int escape(String text, int at, int end) throws Violation {
        if (at + 2 < end) {
            int high = hex(text.charAt(at + 1));
            int low = hex(text.charAt(at + 2));
            if (high >= 0 && low >= 0) {
                return high << 4 | low;
            }
        }
        throw new Violation(400, "malformed percent escape");
    }

    /** The value of a hexadecimal digit, or -1. */
    static int hex(int c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int lower = c | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    private static boolean isItself(char c) {
        return c != '%' && c < 0x80;
    }
}
