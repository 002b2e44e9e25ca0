package io.penstock.http;

import io.penstock.http.DecidingFields.Name;
import java.util.Objects;

/**
 * How the end of a request's body is found. Only the head of the request decides this (RFC 9112 section 6.3).
 *
 * @param length the number of bytes of the body; -1 if the body is chunked
 */
public record BodyFraming(Kind kind, long length) {

    /** The ways to find the end of a request's body. */
    public enum Kind {
        NONE,
        FIXED,
        CHUNKED
    }

    private static final BodyFraming ABSENT = new BodyFraming(Kind.NONE, 0);
    private static final BodyFraming CHUNKS = new BodyFraming(Kind.CHUNKED, -1);

    /**
     * Finds the framing of a request's body.
     *
     * @throws Violation 400 if the framing is ambiguous: both fields, several lengths, a malformed length, or a transfer coding in
     *     HTTP/1.0; 501 for a transfer coding other than chunked
     */
    public static BodyFraming of(RequestHead head) throws Violation {
        DecidingFields deciding = head.deciding();
        boolean length = deciding.has(Name.CONTENT_LENGTH);
        boolean coding = deciding.has(Name.TRANSFER_ENCODING);
        if (!length && !coding) {
            return ABSENT;
        }
        if (deciding.isRepeated(Name.CONTENT_LENGTH)) {
            throw new Violation(400, "more than one Content-Length");
        }
        if (deciding.isRepeated(Name.TRANSFER_ENCODING)) {
            throw new Violation(400, "more than one Transfer-Encoding");
        }
        if (coding) {
            return chunked(head.version(), value(head, Name.TRANSFER_ENCODING), length);
        }
        long bytes = parseLength(value(head, Name.CONTENT_LENGTH));
        return bytes == 0 ? ABSENT : new BodyFraming(Kind.FIXED, bytes);
    }

    private static String value(RequestHead head, Name name) {
        return Objects.requireNonNull(head.fields().first(name.text()));
    }

    private static BodyFraming chunked(Version version, String coding, boolean withLength) throws Violation {
        if (withLength) {
            throw new Violation(400, "Transfer-Encoding together with Content-Length");
        }
        if (version == Version.HTTP_1_0) {
            throw new Violation(400, "Transfer-Encoding in HTTP/1.0");
        }
        if (coding.equalsIgnoreCase("chunked")) {
            return CHUNKS;
        }
        int comma = coding.lastIndexOf(',');
        boolean chunkedLast = coding.substring(comma + 1).strip().equalsIgnoreCase("chunked");
        String before = comma < 0 ? coding : coding.substring(0, comma);
        for (String one : before.split(",", -1)) {
            if (!FieldSyntax.isToken(one.strip()) || one.strip().equalsIgnoreCase("chunked")) {
                throw new Violation(400, "malformed Transfer-Encoding");
            }
        }
        if (!chunkedLast) {
            throw new Violation(400, "Transfer-Encoding that does not end with chunked");
        }
        throw new Violation(501, "transfer coding not supported");
    }

    private static long parseLength(String value) throws Violation {
        long length = 0;
        if (value.isEmpty()) {
            throw new Violation(400, "malformed Content-Length");
        }
        for (int i = 0; i < value.length(); i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw new Violation(400, "malformed Content-Length");
            }
            if (length > (Long.MAX_VALUE - digit) / 10) {
                throw new Violation(400, "Content-Length too large to be counted");
            }
            length = length * 10 + digit;
        }
        return length;
    }
}
