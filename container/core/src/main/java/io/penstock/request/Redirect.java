package io.penstock.request;

import io.penstock.exchange.Exchange;
import io.penstock.limits.ServerConfig.Redirects;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Makes the value of the Location field of a redirect (RFC 9110 section 10.2.2, RFC 3986 section 5.2). The value has no character that
 * could end a header line.
 */
public final class Redirect {
    private Redirect() {}

    /** Returns the Location of a redirect that the container itself sends. The form is the same as for {@code sendRedirect}. */
    public static String onThisServer(Exchange exchange, String path, Redirects form) {
        Authority authority = Authority.of(exchange.head(), exchange.peer());
        return location(path, form, authority, path);
    }

    /**
     * @param location the location that the application has given
     * @param form whether a location on this server becomes relative or absolute
     * @param authority the authority to which the request was sent
     * @param path the request's undecoded path
     * @throws IllegalArgumentException if the location leads above the root
     */
    static String location(String location, Redirects form, Authority authority, String path) {
        String safe = escape(location);
        if (hasScheme(safe)) {
            return safe;
        }
        if (safe.startsWith("//")) {
            return authority.scheme() + ':' + safe;
        }
        String here = here(safe, path);
        return form == Redirects.RELATIVE && isPathForAll(here) ? here : authority.origin() + here;
    }

    private static String here(String safe, String path) {
        if (safe.isEmpty() || safe.startsWith("?") || safe.startsWith("#")) {
            return path + safe;
        }
        if (safe.startsWith("/")) {
            return normalized(safe);
        }
        return normalized(path.substring(0, path.lastIndexOf('/') + 1) + safe);
    }

    /**
     * Whether every client interprets the location as a path. After two slashes clients expect a host, and browsers treat a backslash as a
     * slash.
     */
    private static boolean isPathForAll(String location) {
        return location.startsWith("/") && !location.startsWith("//") && !location.startsWith("/\\");
    }

    private static boolean hasScheme(String location) {
        for (int i = 0; i < location.length(); i++) {
            char c = location.charAt(i);
            if (c == ':') {
                return i > 0;
            }
            boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            boolean later = i > 0 && (Character.isDigit(c) || c == '+' || c == '-' || c == '.');
            if (!letter && !later) {
                return false;
            }
        }
        return false;
    }

    /** Removes dot segments from the path; query and fragment stay as they are. */
    private static String normalized(String location) {
        int end = 0;
        while (end < location.length() && location.charAt(end) != '?' && location.charAt(end) != '#') {
            end++;
        }
        String path = location.substring(0, end);
        if (!path.contains("/.")) {
            return location;
        }
        Deque<String> kept = new ArrayDeque<>();
        String[] segments = path.split("/", -1);
        for (int i = 1; i < segments.length; i++) {
            String segment = segments[i];
            boolean last = i == segments.length - 1;
            if (segment.equals("..")) {
                if (kept.pollLast() == null) {
                    throw new IllegalArgumentException("The location leads above the root: " + location);
                }
            } else if (!segment.equals(".")) {
                kept.addLast(segment);
                continue;
            }
            if (last) {
                kept.addLast("");
            }
        }
        StringBuilder joined = new StringBuilder();
        for (Iterator<String> it = kept.iterator(); it.hasNext(); ) {
            joined.append('/').append(it.next());
        }
        return joined.append(location, end, location.length()).toString();
    }

    /** Replaces each character outside visible ASCII by its percent-encoded UTF-8 octets. */
    private static String escape(String location) {
        StringBuilder escaped = new StringBuilder(location.length() + 16);
        for (byte octet : location.getBytes(StandardCharsets.UTF_8)) {
            if (octet > ' ' && octet < 0x7f) {
                escaped.append((char) octet);
            } else {
                escaped.append('%');
                escaped.append(Character.toUpperCase(Character.forDigit(octet >> 4 & 0xf, 16)));
                escaped.append(Character.toUpperCase(Character.forDigit(octet & 0xf, 16)));
            }
        }
        return escaped.toString();
    }
}
