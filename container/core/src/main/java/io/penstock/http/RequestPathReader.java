package io.penstock.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the canonical path of one request. The class performs the steps of Servlet 6.1 section 3.5.2 in their order, for one segment after
 * the other.
 */
final class RequestPathReader {
    private final String raw;
    private final List<String> segments = new ArrayList<>();
    private final List<RequestPath.Parameter> parameters = new ArrayList<>(1);

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
                return new RequestPath(raw, "/" + String.join("/", segments), List.copyOf(parameters));
            }
            start = slash + 1;
        }
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
            readParameters(nameEnd + 1, end);
        }
        if (name.equals("..")) {
            if (segments.isEmpty()) {
                throw new Violation(400, "path above the root");
            }
            segments.remove(segments.size() - 1);
        } else if (!dots && (last || !name.isEmpty())) {
            segments.add(name);
        }
    }

    /** Reads the parameters of one segment, between its first semicolon and its end. */
    private void readParameters(int start, int end) throws Violation {
        int at = start;
        while (at <= end) {
            int stop = find(';', at, end);
            int nameEnd = find('=', at, stop);
            String name = decode(at, nameEnd);
            String value = nameEnd == stop ? "" : decode(nameEnd + 1, stop);
            if (!name.isEmpty()) {
                parameters.add(new RequestPath.Parameter(name, value));
            }
            at = stop + 1;
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
