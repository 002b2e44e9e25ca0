package io.penstock.security;

import io.penstock.http.FieldList;
import io.penstock.http.FieldSyntax;
import io.penstock.http.Fields;
import io.penstock.http.QuotedString;
import io.penstock.http.RequestHead;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes the header fields of HTTP authentication (RFC 9110 section 11). */
final class Authorization {
    private static final String CHALLENGE = "WWW-Authenticate";

    private Authorization() {}

    /**
     * The credentials after the name of the scheme. Null if the request does not have exactly one Authorization field, or if the field has
     * another scheme.
     */
    static @Nullable String credentials(RequestHead head, String scheme) {
        List<String> lines = head.fields().all("Authorization");
        if (lines.size() != 1) {
            return null;
        }
        String line = lines.get(0);
        boolean ofScheme = line.length() > scheme.length()
                && line.regionMatches(true, 0, scheme, 0, scheme.length())
                && line.charAt(scheme.length()) == ' ';
        return ofScheme ? line.substring(scheme.length() + 1).strip() : null;
    }

    /** Answers 401 with the challenges. */
    static void sendChallenge(HttpServletResponse response, Fields challenge) throws IOException {
        for (int i = 0; i < challenge.size(); i++) {
            response.addHeader(challenge.name(i), challenge.value(i));
        }
        response.sendError(HttpServletResponse.SC_UNAUTHORIZED);
    }

    static Fields challenge(List<String> values) {
        FieldList fields = new FieldList();
        values.forEach(value -> fields.add(CHALLENGE, value));
        return fields;
    }

    /** Answers 429 to a client that is locked out. */
    static void sendLockedOut(HttpServletResponse response, int seconds) throws IOException {
        response.setHeader("Retry-After", Integer.toString(seconds));
        response.sendError(429);
    }

    /** Answers 503 to a client whose password cannot be checked now. */
    static void sendBusy(HttpServletResponse response) throws IOException {
        response.setHeader("Retry-After", "1");
        response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    }

    /** The text as a quoted string. Each char of the result is one octet of UTF-8. */
    static String quoted(String text) {
        return QuotedString.quote(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    }

    /**
     * Decodes octets that a client has sent. The challenge demands UTF-8. Octets that are not valid UTF-8 are decoded as ISO-8859-1,
     * because older clients use this encoding.
     */
    static String text(byte[] octets) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(octets))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            return new String(octets, StandardCharsets.ISO_8859_1);
        }
    }

    /** Whether a name or password has a control character. Credentials with control characters are invalid for every realm. */
    static boolean hasControls(String text) {
        return text.chars().anyMatch(c -> c < ' ' || c == 0x7f);
    }

    /**
     * Parses comma-separated {@code name=value} pairs, with names in lower case; null if the text is malformed, or if a name occurs twice.
     */
    static @Nullable Map<String, String> parameters(String credentials) {
        Map<String, String> parameters = new HashMap<>();
        int at = 0;
        while (true) {
            at = skip(credentials, at, " \t,");
            if (at == credentials.length()) {
                return parameters;
            }
            int start = at;
            at = FieldSyntax.tokenEnd(credentials, start);
            String name = credentials.substring(start, at).toLowerCase(Locale.ROOT);
            at = skip(credentials, at, " \t");
            if (name.isEmpty() || at == credentials.length() || credentials.charAt(at) != '=') {
                return null;
            }
            at = skip(credentials, at + 1, " \t");
            StringBuilder value = new StringBuilder();
            at = value(credentials, at, value);
            int next = at < 0 ? -1 : skip(credentials, at, " \t");
            boolean ends = next >= 0 && (next == credentials.length() || credentials.charAt(next) == ',');
            if (!ends || parameters.put(name, value.toString()) != null) {
                return null;
            }
        }
    }

    /**
     * Reads a token or a quoted string into {@code value}. Returns the index after the token or the quoted string; -1 if the quoted string
     * has no end.
     */
    private static int value(String text, int start, StringBuilder value) {
        int at = start;
        if (at < text.length() && text.charAt(at) == '"') {
            for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                value.append(text.charAt(at));
            }
            return at == text.length() ? -1 : at + 1;
        }
        // Some clients omit the quotes of values that are not tokens, such as the uri. So these values are accepted
        // without quotes.
        while (at < text.length() && " \t,\"".indexOf(text.charAt(at)) < 0) {
            value.append(text.charAt(at++));
        }
        return at;
    }

    private static int skip(String text, int start, String skipped) {
        int at = start;
        while (at < text.length() && skipped.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }
}
