package io.penstock.http;

import io.penstock.http.RequestTarget.Form;
import org.jspecify.annotations.Nullable;

/** Parses request targets (RFC 9112 section 3.2, RFC 3986 section 3), without decoding. */
final class TargetSyntax {
    private static final boolean[] PATH = chars("!$%&'()*+,-./:;=@_~");
    // Browsers send some characters unencoded in queries, although RFC 3986 requires encoding. This table includes
    // these characters, since they do not make a query ambiguous.
    private static final boolean[] QUERY = chars("!$%&'()*+,-./:;=?@_~[]{}|^`\\");

    private TargetSyntax() {}

    static RequestTarget read(String method, String raw) throws Violation {
        if (method.equals("CONNECT")) {
            return authority(raw);
        }
        if (raw.charAt(0) == '/') {
            return pathAndQuery(Form.ORIGIN, raw, null, null, 0);
        }
        if (raw.equals("*")) {
            if (!method.equals("OPTIONS")) {
                throw new Violation(400, "asterisk form without OPTIONS");
            }
            return new RequestTarget(Form.ASTERISK, raw, null, null, raw, null);
        }
        return absolute(method, raw);
    }

    private static RequestTarget authority(String raw) throws Violation {
        if (!HostSyntax.isAuthority(raw)) {
            throw new Violation(400, "CONNECT without an authority");
        }
        return new RequestTarget(Form.AUTHORITY, raw, null, raw, "", null);
    }

    private static RequestTarget absolute(String method, String raw) throws Violation {
        int colon = raw.indexOf("://");
        if (colon < 0) {
            throw new Violation(400, "request target in an unknown form");
        }
        String scheme = raw.substring(0, colon);
        if (!scheme.equalsIgnoreCase("http") && !scheme.equalsIgnoreCase("https")) {
            throw new Violation(400, "request target with a foreign scheme");
        }
        int start = colon + 3;
        int end = start;
        while (end < raw.length() && raw.charAt(end) != '/' && raw.charAt(end) != '?') {
            end++;
        }
        String authority = raw.substring(start, end);
        if (!HostSyntax.isAuthority(authority)) {
            throw new Violation(400, "absolute form with a malformed authority");
        }
        if (end == raw.length() && method.equals("OPTIONS")) {
            return new RequestTarget(Form.ASTERISK, raw, scheme, authority, "*", null); // RFC 9112 section 3.2.4
        }
        return pathAndQuery(Form.ABSOLUTE, raw, scheme, authority, end);
    }

    private static RequestTarget pathAndQuery(
            Form form, String raw, @Nullable String scheme, @Nullable String authority, int from) throws Violation {
        int question = raw.indexOf('?', from);
        int end = question < 0 ? raw.length() : question;
        String path = from == end ? "/" : raw.substring(from, end);
        String query = question < 0 ? null : raw.substring(question + 1);
        if (!all(path, PATH) || (query != null && !all(query, QUERY))) {
            throw new Violation(400, "request target with a character that must be encoded");
        }
        return new RequestTarget(form, raw, scheme, authority, path, query);
    }

    private static boolean all(String text, boolean[] allowed) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= allowed.length || !allowed[c]) {
                return false;
            }
        }
        return true;
    }

    private static boolean[] chars(String others) {
        boolean[] table = new boolean[128];
        for (char c = 0; c < 128; c++) {
            table[c] = (c < 128 && Character.isLetterOrDigit(c)) || others.indexOf(c) >= 0;
        }
        return table;
    }
}
