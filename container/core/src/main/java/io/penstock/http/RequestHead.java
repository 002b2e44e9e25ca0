package io.penstock.http;

import org.jspecify.annotations.Nullable;

/**
 * The request line and the fields of one request, complete and well formed (RFC 9112 sections 3 and 5).
 *
 * @param method the case-sensitive method, as the client has sent it
 * @param target the parsed request target
 * @param fields the field lines. An HTTP/1.1 request has exactly one {@code Host} line
 * @param deciding notes which deciding fields the head has; see {@link DecidingFields}
 */
public record RequestHead(
        String method, RequestTarget target, Version version, Fields fields, DecidingFields deciding) {

    /** Makes a head that was not parsed from bytes. */
    public RequestHead(String method, RequestTarget target, Version version, Fields fields) {
        this(method, target, version, fields, DecidingFields.of(fields));
    }

    /** Whether one of the Connection lines of the request lists {@code option} (RFC 9110 section 7.6.1). */
    public boolean asksFor(String option) {
        return deciding.has(DecidingFields.Name.CONNECTION) && fields.hasConnectionOption(option);
    }

    /** Whether the client wants to use the connection again (RFC 9112 section 9.3). */
    public boolean persists() {
        return !asksFor("close") && (version != Version.HTTP_1_0 || asksFor("keep-alive"));
    }

    /** Returns a copy of this head with {@code authority} as host and port. */
    public RequestHead sentTo(String authority) {
        RequestTarget there = new RequestTarget(
                target.form(), target.raw(), target.scheme(), authority, target.path(), target.query());
        return new RequestHead(method, there, version, fields, deciding);
    }

    /** Returns a head with the method, path and version of this head. */
    public RequestHead withoutFields() {
        String path = target.path();
        return new RequestHead(
                method, new RequestTarget(target.form(), path, null, null, path, null), version, Fields.EMPTY);
    }

    /**
     * The host and the port for which the request was sent. The first of these sources is used: a trusted proxy, an absolute target, the
     * Host field (RFC 9112 section 3.2.2). Null if an HTTP/1.0 client has sent no host.
     */
    public @Nullable String authority() {
        String named = target.authority();
        return named != null ? named : fields.first("Host");
    }

    /** The host without the port, as it was sent. An IPv6 address has brackets. Null if the client has sent no host. */
    public @Nullable String host() {
        String named = authority();
        return named == null || named.isEmpty() ? null : named.substring(0, endOfHost(named));
    }

    /**
     * The index at which the host of an authority ends. This is the index of the colon before the port. If there is no port, the result is
     * the length of the text.
     */
    public static int endOfHost(String authority) {
        int bracket = authority.lastIndexOf(']');
        int colon = authority.indexOf(':', Math.max(bracket, 0));
        return colon < 0 ? authority.length() : colon;
    }
}
