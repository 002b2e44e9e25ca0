package io.penstock.http;

import org.jspecify.annotations.Nullable;

/**
 * The request line and the fields of one request, complete and well formed (RFC 9112 sections 3 and 5).
 *
 * @param method case-sensitive, as sent
 * @param target the parsed request target
 * @param fields the field lines; a {@code Host} is present exactly once in HTTP/1.1
 * @param deciding notes which deciding fields the head has; see {@link DecidingFields}
 */
public record RequestHead(
        String method, RequestTarget target, Version version, Fields fields, DecidingFields deciding) {

    /** A head that was not parsed from bytes. */
    public RequestHead(String method, RequestTarget target, Version version, Fields fields) {
        this(method, target, version, fields, DecidingFields.of(fields));
    }

    /** A copy of this request, sent to this host and port. */
    public RequestHead sentTo(String authority) {
        RequestTarget there = new RequestTarget(
                target.form(), target.raw(), target.scheme(), authority, target.path(), target.query());
        return new RequestHead(method, there, version, fields, deciding);
    }

    /**
     * The host and port for which the request was sent. They come from a trusted proxy, else from an absolute target, else from the Host
     * field (RFC 9112 section 3.2.2). Null if an HTTP/1.0 client names none.
     */
    public @Nullable String authority() {
        String named = target.authority();
        return named != null ? named : fields.first("Host");
    }

    /** The host alone, as it was sent; an IPv6 address has brackets. Null if the client names none. */
    public @Nullable String host() {
        String named = authority();
        return named == null || named.isEmpty() ? null : named.substring(0, endOfHost(named));
    }

    /** The index at which the host of an authority ends: that of the colon before the port, or the length if there is no port. */
    public static int endOfHost(String authority) {
        int bracket = authority.lastIndexOf(']');
        int colon = authority.indexOf(':', Math.max(bracket, 0));
        return colon < 0 ? authority.length() : colon;
    }
}
