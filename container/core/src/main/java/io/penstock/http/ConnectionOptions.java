package io.penstock.http;

/** The options of the Connection field (RFC 9110 section 7.6.1). */
public final class ConnectionOptions {
    private ConnectionOptions() {}

    /** Whether one of the Connection lines of the request lists {@code option}. */
    public static boolean contains(RequestHead head, String option) {
        return head.deciding().has(DecidingFields.Name.CONNECTION) && contains(head.fields(), option);
    }

    /** Whether one of the Connection lines of these fields lists {@code option}. */
    public static boolean contains(Fields fields, String option) {
        for (int i = 0, n = fields.size(); i < n; i++) {
            if (fields.isNamed(i, "Connection") && lists(fields.value(i), option)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a client that sent this head wants to use the connection again (RFC 9112 section 9.3). */
    public static boolean persists(RequestHead head) {
        if (contains(head, "close")) {
            return false;
        }
        return head.version() != Version.HTTP_1_0 || contains(head, "keep-alive");
    }

    private static boolean lists(String value, String option) {
        if (value.equalsIgnoreCase(option)) {
            return true;
        }
        int start = 0;
        while (start <= value.length()) {
            int comma = value.indexOf(',', start);
            int end = comma < 0 ? value.length() : comma;
            if (value.substring(start, end).strip().equalsIgnoreCase(option)) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }
}
