package io.penstock.http;

import java.nio.charset.StandardCharsets;

/** Converts the bytes of a fuzzer to text that a head can contain. */
public final class FuzzedText {
    private FuzzedText() {}

    /** Makes one char of each octet. Characters that no field value can contain are removed. */
    public static String fieldValue(byte[] data) {
        String text = new String(data, StandardCharsets.ISO_8859_1);
        StringBuilder value = new StringBuilder(text.length());
        text.chars().filter(FieldSyntax::isValueChar).forEach(c -> value.append((char) c));
        return value.toString();
    }
}
