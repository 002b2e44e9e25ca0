package io.penstock.http;

/**
 * The request line and the fields of one request, complete and well formed (RFC 9112 sections 3 and 5).
 *
 * @param method case-sensitive, as sent
 * @param target the request target, taken apart
 * @param fields the field lines; a {@code Host} is present exactly once in HTTP/1.1
 * @param deciding where those of the fields stand that decide how the request is read and answered
 */
public record RequestHead(
        String method, RequestTarget target, Version version, Fields fields, DecidingFields deciding) {

    /** A head that did not come as bytes. */
    public RequestHead(String method, RequestTarget target, Version version, Fields fields) {
        this(method, target, version, fields, DecidingFields.of(fields));
    }
}
