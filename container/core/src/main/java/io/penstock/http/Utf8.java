package io.penstock.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decodes text whose encoding is not declared. */
final class Utf8 {
    private Utf8() {}

    /** Decodes text in which each char stands for one octet, in the same way as {@link #orLatin1(byte[], int, int)}. */
    static String orLatin1(String octetChars) {
        byte[] octets = octetChars.getBytes(StandardCharsets.ISO_8859_1);
        for (byte octet : octets) {
            if (octet < 0) {
                return orLatin1(octets, 0, octets.length);
            }
        }
        return octetChars;
    }

    /** Decodes the octets as UTF-8. If they are not well-formed UTF-8, each octet becomes one char. */
    static String orLatin1(byte[] octets, int offset, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(octets, offset, length))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            return new String(octets, offset, length, StandardCharsets.ISO_8859_1);
        }
    }
}
