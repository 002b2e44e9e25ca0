package io.penstock.http;

import java.nio.charset.StandardCharsets;

/** Bytes of a fuzzer as text that can come out of a head. */
public final class FuzzedText {
    private FuzzedText() {}

    /** One char an octet, without what no field value can hold. */
    public static String fieldValue(byte[] data) {
        String text = new String(data, StandardCharsets.ISO_8859_1);
        StringBuilder value = new StringBuilder(text.length());
        text.chars().filter(FieldSyntax::isValueChar).forEach(c -> value.append((char) c));
        return value.toString();
    }
}
