package io.penstock.http;

import java.util.Collection;

/** The field {@code Vary} (RFC 9110 section 12.5.5). */
public final class Vary {
    private Vary() {}

    /** Whether these lines name {@code field}, or name all fields by an asterisk. */
    public static boolean covers(Collection<String> lines, String field) {
        for (String line : lines) {
            for (String name : line.split(",")) {
                if (name.strip().equalsIgnoreCase(field) || name.strip().equals("*")) {
                    return true;
                }
            }
        }
        return false;
    }
}
