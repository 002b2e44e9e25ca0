package io.penstock.http1;

import io.penstock.http.RequestHead;
import io.penstock.http.Status;
import io.penstock.http.Version;

/** How the end of a response's body is marked for the client (RFC 9112 section 6.3). */
enum Framing {
    /** The head has not been sent yet. */
    UNDECIDED,

    /** There is no body, regardless of the fields: HEAD, 204, 205, 304. */
    NONE,
    LENGTH,
    CHUNKED,

    /** The end of the connection marks the end of the body. */
    CLOSE;

    /** @param length the length of the body; -1 if it is not known */
    static Framing of(RequestHead request, int status, long length) {
        if (isHead(request) || Status.isBodiless(status)) {
            return NONE;
        }
        if (length >= 0) {
            return LENGTH;
        }
        return request.version() == Version.HTTP_1_0 ? CLOSE : CHUNKED;
    }

    static boolean isHead(RequestHead request) {
        return request.method().equals("HEAD");
    }
}
