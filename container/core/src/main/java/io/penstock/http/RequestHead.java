package io.penstock.http;

/**
 * The request line and the fields of one request, complete and well formed (RFC 9112 sections 3 and 5).
 *
 * @param method case-sensitive, as sent
 * @param target the parsed request target
 * @param fields the field lines; a {@code Host} is present exactly once in HTTP/1.1
 * @param deciding the positions of the fields that decide how the request is read and answered
 */
public record RequestHead(
        String method, RequestTarget target, Version version, Fields fields, DecidingFields deciding) {

    /** A head that was not parsed from bytes. */
    public RequestHead(String method, RequestTarget target, Version version, Fields fields) {
        this(method, target, version, fields, DecidingFields.of(fields));
    }
}
