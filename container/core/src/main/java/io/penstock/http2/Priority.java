package io.penstock.http2;

import org.jspecify.annotations.Nullable;

/**
 * The priority of a response, from the field {@code Priority} (RFC 9218 section 4).
 *
 * @param urgency 0, the highest, to 7
 * @param incremental whether the client can use the response in parts, so that it is sent in turns with others
 */
record Priority(int urgency, boolean incremental) {
    static final int LEVELS = 8;

    /** The priority of a response whose client has named none. */
    static final Priority USUAL = new Priority(3, false);

    /** @param field the value of the field, a dictionary such as {@code u=1, i}; null if there is none. What is malformed is ignored */
    static Priority of(@Nullable String field) {
        if (field == null) {
            return USUAL;
        }
        int urgency = USUAL.urgency;
        boolean incremental = USUAL.incremental;
        for (String member : field.split(",", -1)) {
            String text = member.strip();
            if (text.length() == 3 && text.startsWith("u=") && text.charAt(2) >= '0' && text.charAt(2) < '0' + LEVELS) {
                urgency = text.charAt(2) - '0';
            } else if (text.equals("i") || text.equals("i=?1")) {
                incremental = true;
            } else if (text.equals("i=?0")) {
                incremental = false;
            }
        }
        return new Priority(urgency, incremental);
    }
}
