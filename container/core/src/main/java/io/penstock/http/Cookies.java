package io.penstock.http;

import io.penstock.limits.Key;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code Cookie} fields (RFC 6265 section 4.2) leniently: malformed pairs are skipped. */
public final class Cookies {
    /** A cookie without its text: here, in the array of {@code getCookies}, and its places in both lists. */
    private static final int COOKIE = 96;

    private Cookies() {}

    /**
     * Returns the cookies of all {@code Cookie} lines, in order. A name may occur several times.
     *
     * @param memory where the bytes of the cookies are reserved; the caller gives them back
     * @throws Violation if there are more than {@code most} cookies, or no memory for them
     */
    public static List<RequestCookie> of(Fields fields, int most, ParsedBytes memory) throws Violation {
        List<RequestCookie> cookies = new ArrayList<>();
        for (int i = 0, n = fields.size(); i < n; i++) {
            if (fields.isNamed(i, "Cookie")) {
                parse(fields.value(i), cookies, most, memory);
            }
        }
        return cookies;
    }

    /**
     * Adds the cookies of one field value. A semicolon ends a pair even between quotes, as in browsers. Otherwise an unmatched quote in one
     * cookie could hide the next cookie.
     */
    private static void parse(String value, List<RequestCookie> into, int most, ParsedBytes memory) throws Violation {
        int start = 0;
        while (start < value.length()) {
            int semicolon = value.indexOf(';', start);
            int end = semicolon < 0 ? value.length() : semicolon;
            RequestCookie cookie = pair(value.substring(start, end));
            if (cookie != null) {
                if (into.size() == most) {
                    throw new Violation(Key.MAX_COOKIES);
                }
                memory.reserve(COOKIE + ParsedBytes.of(cookie.name()) + ParsedBytes.of(cookie.value()));
                into.add(cookie);
            }
            start = end + 1;
        }
    }

    private static @Nullable RequestCookie pair(String pair) {
        int equals = pair.indexOf('=');
        if (equals < 0) {
            return null;
        }
        String name = pair.substring(0, equals).strip();
        String value = pair.substring(equals + 1).strip();
        if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(value)) {
            return null;
        }
        return new RequestCookie(name, Utf8.orLatin1(value)); // browsers use UTF-8 for cookies that scripts have set
    }
}
