package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.http.ConnectionOptions;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.http.Version;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection can be used again after a response, and why not (RFC 9112 section 9.3). It is decided before the head of the response
 * leaves, which tells the client. Where several causes hold, the first in this order is the one that is reported:
 *
 * <ol>
 *   <li>the request asks for the close;
 *   <li>the response does;
 *   <li>the client can tell the response's end by the close alone;
 *   <li>the request's body has not arrived whole, so that it is unknown where the next request begins;
 *   <li>the server is about to stop.
 * </ol>
 *
 * A response to something that is no proper request always ends its connection, and is not judged here.
 */
final class Persistence {
    private Persistence() {}

    /**
     * Why the connection must end with a response of an application; null if it can be used again.
     *
     * @param selfDelimited whether the client can tell the end of the response without the end of the connection
     * @param bodyComplete whether the whole request body has arrived
     * @param draining whether the server is about to stop
     */
    static @Nullable CloseCause endsWith(
            RequestHead request, ResponseHead response, boolean selfDelimited, boolean bodyComplete, boolean draining) {
        if (!ConnectionOptions.persists(request)) {
            return CloseCause.REQUEST_CLOSE;
        }
        if (ConnectionOptions.contains(response.fields(), "close")) {
            return CloseCause.RESPONSE_CLOSE;
        }
        if (!selfDelimited) {
            return CloseCause.CLOSE_DELIMITED;
        }
        return endsAnyway(bodyComplete, draining);
    }

    /** The same for a {@link CannedResponse}, which has no field to keep a connection of HTTP/1.0. */
    static @Nullable CloseCause endsWithCanned(RequestHead request, boolean bodyComplete, boolean draining) {
        if (request.version() == Version.HTTP_1_0 || !ConnectionOptions.persists(request)) {
            return CloseCause.REQUEST_CLOSE;
        }
        return endsAnyway(bodyComplete, draining);
    }

    private static @Nullable CloseCause endsAnyway(boolean bodyComplete, boolean draining) {
        if (!bodyComplete) {
            return CloseCause.BODY_UNREAD;
        }
        return draining ? CloseCause.SERVER_STOPPING : null;
    }

    /**
     * Why the connection must end when the last byte of a response has been written; null if it can be used again.
     *
     * @param decided what was decided when its head left
     * @param whole whether the body is as long as the head has promised: only the end of the connection can tell that it is not
     */
    static @Nullable CloseCause endsAfter(@Nullable CloseCause decided, boolean whole, boolean bodyComplete) {
        if (!whole) {
            return CloseCause.RESPONSE_INCOMPLETE;
        }
        return decided == null && !bodyComplete ? CloseCause.BODY_UNREAD : decided;
    }
}
