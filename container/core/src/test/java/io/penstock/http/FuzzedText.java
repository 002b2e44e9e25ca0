package io.penstock.http;

import java.nio.charset.StandardCharsets;

/** Converts the bytes of a fuzzer to text that is allowed in a request head. */
public final class FuzzedText {
    private FuzzedText() {}

    /** Converts each byte to one character. Removes the characters that are not allowed in a field value. */
    public static String fieldValue(byte[] data) {
        String text = new String(data, StandardCharsets.ISO_8859_1);
        StringBuilder value = new StringBuilder(text.length());
        text.chars().filter(FieldSyntax::isValueChar).forEach(c -> value.append((char) c));
        return value.toString();
    }
}
