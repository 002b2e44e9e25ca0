package io.penstock.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Makes the canonical path of one request. The class performs the steps of Servlet 6.1 section 3.5.2 in their order, for one segment after
 * the other.
 */
final class RequestPathReader {
    private final String raw;
    private final StringBuilder decoded = new StringBuilder();

    RequestPathReader(String raw) {
        this.raw = raw;
    }

    RequestPath read() throws Violation {
        if (!raw.startsWith("/")) {
            throw new Violation(400, "path without a leading slash");
        }
        refuseUnencoded();
        int start = 1;
        while (true) {
            int slash = raw.indexOf('/', start);
            boolean last = slash < 0;
            readSegment(start, last ? raw.length() : slash, last);
            if (last) {
                return new RequestPath(raw, decoded());
            }
            start = slash + 1;
        }
    }

    private String decoded() {
        if (decoded.isEmpty()) {
            return "/";
        }
        return decoded.length() == raw.length() ? raw : decoded.toString();
    }

    /** Refuses characters that must be encoded in segments and parameters. Encoded characters are checked after decoding. */
    private void refuseUnencoded() throws Violation {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '#' || c == '?') {
                throw new Violation(400, "fragment or query in a path");
            }
            if (c > 0x7F) {
                throw new Violation(400, "unencoded octet beyond ASCII in a path");
            }
        }
    }

    private void readSegment(int start, int end, boolean last) throws Violation {
        int nameEnd = find(';', start, end);
        String name = decode(start, nameEnd);
        boolean dots = name.equals(".") || name.equals("..");
        if (dots && nameEnd - start != name.length()) {
            throw new Violation(400, "encoded dot segment");
        }
        if (nameEnd < end) {
            if (dots) {
                throw new Violation(400, "dot segment with a parameter");
            }
            if (name.isEmpty() && !last) {
                throw new Violation(400, "empty segment with a parameter");
            }
            checkParameters(nameEnd + 1, end);
        }
        if (name.equals("..")) {
            if (decoded.isEmpty()) {
                throw new Violation(400, "path above the root");
            }
            decoded.setLength(decoded.lastIndexOf("/"));
        } else if (!dots && (last || !name.isEmpty())) {
            decoded.append('/').append(name);
        }
    }

    /** Checks the parameters of one segment, between its first semicolon and its end. Nothing of them is kept. */
    private void checkParameters(int start, int end) throws Violation {
        int at = start;
        while (at <= end) {
            int stop = find(';', at, end);
            int nameEnd = find('=', at, stop);
            decode(at, nameEnd);
            if (nameEnd < stop) {
                decode(nameEnd + 1, stop);
            }
            at = stop + 1;
        }
    }

    /** Searches a path that {@link #read} has accepted. Returns the same value as {@link RequestPath#parameter}. */
    @Nullable
    String parameter(String name) {
        int semicolon = raw.indexOf(';');
        while (semicolon >= 0 && !name.isEmpty()) {
            int start = semicolon + 1;
            int end = start;
            while (end < raw.length() && raw.charAt(end) != ';' && raw.charAt(end) != '/') {
                end++;
            }
            int nameEnd = find('=', start, end);
            if (accepted(start, nameEnd).equals(name)) {
                return nameEnd == end ? "" : accepted(nameEnd + 1, end);
            }
            semicolon = raw.indexOf(';', end);
        }
        return null;
    }

    private String accepted(int start, int end) {
        try {
            return decode(start, end);
        } catch (Violation e) {
            throw new IllegalStateException("The path has not been checked", e);
        }
    }

    /**
     * The position of the first {@code c} before {@code end}; {@code end} if there is none. The search ends at {@code end}, so parsing the
     * whole path takes linear time.
     */
    private int find(char c, int start, int end) {
        int at = start;
        while (at < end && raw.charAt(at) != c) {
            at++;
        }
        return at;
    }

    private String decode(int start, int end) throws Violation {
        String text = PercentDecoding.decode(raw, start, end, StandardCharsets.UTF_8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '/') {
                throw new Violation(400, "encoded slash in a path");
            }
            if (c == '\\') {
                throw new Violation(400, "backslash in a path");
            }
            if (Character.isISOControl(c)) {
                throw new Violation(400, "control character in a path");
            }
        }
        return text;
    }
}
