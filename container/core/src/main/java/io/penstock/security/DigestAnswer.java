package io.penstock.security;

import io.penstock.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The credentials of a client that answers a Digest challenge (RFC 7616 section 3.4). In the texts, except {@code user}, each char is one
 * octet.
 *
 * @param user the user name, decoded to text
 * @param count the number of uses of the nonce, as the client counts them
 */
record DigestAnswer(
        String user,
        String realm,
        String nonce,
        String uri,
        DigestAlgorithm algorithm,
        String nc,
        long count,
        String cnonce,
        String response) {
    private static final String QOP = "auth";

    /** Parses credentials. Returns null if a parameter is missing or malformed, or has a value that the challenge did not offer. */
    static @Nullable DigestAnswer parse(String credentials) {
        Map<String, String> sent = Authorization.parameters(credentials);
        if (sent == null) {
            return null;
        }
        DigestAlgorithm algorithm = DigestAlgorithm.named(sent.getOrDefault("algorithm", "MD5"));
        String user = user(sent);
        String nc = sent.getOrDefault("nc", "");
        if (algorithm == null || user == null || !nc.matches("[0-9a-fA-F]{8}") || !QOP.equals(sent.get("qop"))) {
            return null;
        }
        for (String name : new String[] {"realm", "nonce", "uri", "cnonce", "response"}) {
            if (sent.getOrDefault(name, "").isEmpty()) {
                return null;
            }
        }
        return new DigestAnswer(
                user,
                text(sent, "realm"),
                text(sent, "nonce"),
                text(sent, "uri"),
                algorithm,
                nc,
                Long.parseLong(nc, 16),
                text(sent, "cnonce"),
                text(sent, "response"));
    }

    private static String text(Map<String, String> sent, String name) {
        return Objects.requireNonNull(sent.get(name));
    }

    private static @Nullable String user(Map<String, String> sent) {
        String plain = sent.get("username");
        String extended = sent.get("username*");
        if ("true".equalsIgnoreCase(sent.get("userhash")) || (plain == null) == (extended == null)) {
            return null;
        }
        return plain != null ? Authorization.text(octets(plain)) : extended(Objects.requireNonNull(extended));
    }

    /** Decodes a name in the form of RFC 8187, such as {@code UTF-8''J%C3%A4s}. */
    private static @Nullable String extended(String value) {
        if (!value.regionMatches(true, 0, "UTF-8'", 0, 6) || value.indexOf('\'', 6) < 0) {
            return null;
        }
        String encoded = value.substring(value.indexOf('\'', 6) + 1);
        StringBuilder octets = new StringBuilder();
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c != '%') {
                octets.append(c);
                continue;
            }
            if (i + 2 >= encoded.length() || !encoded.substring(i + 1, i + 3).matches("[0-9a-fA-F]{2}")) {
                return null;
            }
            octets.append((char) Integer.parseInt(encoded.substring(i + 1, i + 3), 16));
            i += 2;
        }
        return Authorization.text(octets(octets.toString()));
    }

    private static byte[] octets(String chars) {
        return chars.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Whether the answer was computed for the target of this request. */
    boolean isFor(RequestHead head) {
        return uri.equals(head.target().raw());
    }

    /** Whether the answer was made with the secret. The time of the comparison does not depend on the result. */
    boolean isMadeWith(String secret, String method) {
        String ofRequest = algorithm.hash(method + ':' + uri);
        String right = algorithm.hash(
                secret.toLowerCase(Locale.ROOT) + ':' + nonce + ':' + nc + ':' + cnonce + ':' + QOP + ':' + ofRequest);
        return MessageDigest.isEqual(octets(right), octets(response.toLowerCase(Locale.ROOT)));
    }
}
