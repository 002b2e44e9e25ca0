package io.penstock.http2;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The static table of HPACK (RFC 7541 appendix A): fields that both sides know from the start. Its indexes begin at 1. */
final class StaticTable {
    private static final String[] TEXTS = {
        ":authority", "",
        ":method", "GET",
        ":method", "POST",
        ":path", "/",
        ":path", "/index.html",
        ":scheme", "http",
        ":scheme", "https",
        ":status", "200",
        ":status", "204",
        ":status", "206",
        ":status", "304",
        ":status", "400",
        ":status", "404",
        ":status", "500",
        "accept-charset", "",
        "accept-encoding", "gzip, deflate",
        "accept-language", "",
        "accept-ranges", "",
        "accept", "",
        "access-control-allow-origin", "",
        "age", "",
        "allow", "",
        "authorization", "",
        "cache-control", "",
        "content-disposition", "",
        "content-encoding", "",
        "content-language", "",
        "content-length", "",
        "content-location", "",
        "content-range", "",
        "content-type", "",
        "cookie", "",
        "date", "",
        "etag", "",
        "expect", "",
        "expires", "",
        "from", "",
        "host", "",
        "if-match", "",
        "if-modified-since", "",
        "if-none-match", "",
        "if-range", "",
        "if-unmodified-since", "",
        "last-modified", "",
        "link", "",
        "location", "",
        "max-forwards", "",
        "proxy-authenticate", "",
        "proxy-authorization", "",
        "range", "",
        "referer", "",
        "refresh", "",
        "retry-after", "",
        "server", "",
        "set-cookie", "",
        "strict-transport-security", "",
        "transfer-encoding", "",
        "user-agent", "",
        "vary", "",
        "via", "",
        "www-authenticate", ""
    };

    /** The highest index. */
    static final int SIZE = TEXTS.length / 2;

    private static final byte[][] OCTETS = new byte[TEXTS.length][];

    /** The lowest index of each name, in lower case and as HTTP/1.1 usually writes it. */
    private static final Map<String, Integer> INDEX = new HashMap<>();

    static {
        for (int i = 0; i < TEXTS.length; i++) {
            OCTETS[i] = TEXTS[i].getBytes(StandardCharsets.ISO_8859_1);
        }
        for (int index = SIZE; index > 0; index--) {
            String name = TEXTS[2 * index - 2];
            INDEX.put(name, index);
            INDEX.put(capitalized(name), index);
        }
    }

    private StaticTable() {}

    private static String capitalized(String name) {
        StringBuilder text = new StringBuilder(name);
        for (int i = 0; i < name.length(); i++) {
            if (i == 0 || name.charAt(i - 1) == '-') {
                text.setCharAt(i, Character.toUpperCase(name.charAt(i)));
            }
        }
        return text.toString();
    }

    static byte[] name(int index) {
        return OCTETS[2 * index - 2];
    }

    static byte[] value(int index) {
        return OCTETS[2 * index - 1];
    }

    /** The lowest index of a field with this name; 0 if there is none. */
    static int indexOf(String name) {
        Integer index = INDEX.get(name);
        return index != null ? index : INDEX.getOrDefault(name.toLowerCase(Locale.ROOT), 0);
    }
}
