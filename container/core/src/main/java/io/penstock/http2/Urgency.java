package io.penstock.http2;

import org.jspecify.annotations.Nullable;

/** The urgency of a response, from the field {@code Priority} (RFC 9218 section 4.1): 0, the highest, to 7. */
final class Urgency {
    static final int USUAL = 3;
    static final int LEVELS = 8;

    private Urgency() {}

    /** @param field the value of the field, a dictionary such as {@code u=1, i}; null if there is none. What is malformed is ignored */
    static int of(@Nullable String field) {
        if (field == null) {
            return USUAL;
        }
        for (String member : field.split(",", -1)) {
            String text = member.strip();
            if (text.length() == 3 && text.startsWith("u=") && text.charAt(2) >= '0' && text.charAt(2) < '0' + LEVELS) {
                return text.charAt(2) - '0';
            }
        }
        return USUAL;
    }
}
