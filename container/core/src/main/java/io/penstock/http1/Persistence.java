package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.http.ConnectionOptions;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.http.Version;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a connection can be used again after a response (RFC 9112 section 9.3). If not, this class finds the cause. The decision
 * is made before the head is sent, because the head announces a close. If there are several causes, the first cause in this order is
 * reported:
 *
 * <ol>
 *   <li>the request asks for the close;
 *   <li>the response asks for the close;
 *   <li>only the close marks the end of the response;
 *   <li>the request's body has not arrived completely, so the beginning of the next request is unknown;
 *   <li>the server is about to stop.
 * </ol>
 *
 * If the body of the response is shorter than its head has promised, the cause is {@link CloseCause#RESPONSE_INCOMPLETE} ({@link
 * #endsAfter}).
 *
 * <p>This class is not used for the responses to invalid requests. These responses always end the connection.
 */
final class Persistence {
    private Persistence() {}

    /**
     * The cause for which the connection must end with a response of an application; null if the connection can be used again.
     *
     * @param selfDelimited whether the client can find the end of the response while the connection stays open
     * @param bodyComplete whether the whole request body has arrived
     * @param stopping whether the server stops. If so, each response closes its connection
     */
    static @Nullable CloseCause endsWith(
            RequestHead request, ResponseHead response, boolean selfDelimited, boolean bodyComplete, boolean stopping) {
        if (!ConnectionOptions.persists(request)) {
            return CloseCause.REQUEST_CLOSE;
        }
        if (ConnectionOptions.contains(response.fields(), "close")) {
            return CloseCause.RESPONSE_CLOSE;
        }
        if (!selfDelimited) {
            return CloseCause.CLOSE_DELIMITED;
        }
        return endsAnyway(bodyComplete, stopping);
    }

    /** Decides as {@link #endsWith} does, but for a {@link Http1CannedResponse}. A canned response never keeps an HTTP/1.0 connection open. */
    static @Nullable CloseCause endsWithCanned(RequestHead request, boolean bodyComplete, boolean stopping) {
        if (request.version() == Version.HTTP_1_0 || !ConnectionOptions.persists(request)) {
            return CloseCause.REQUEST_CLOSE;
        }
        return endsAnyway(bodyComplete, stopping);
    }

    private static @Nullable CloseCause endsAnyway(boolean bodyComplete, boolean stopping) {
        if (!bodyComplete) {
            return CloseCause.BODY_UNREAD;
        }
        return stopping ? CloseCause.SERVER_STOPPING : null;
    }

    /**
     * The cause for which the connection must end after the last byte of a response; null if the connection can be used again.
     *
     * @param decided the result of {@link #endsWith} when the head was sent
     * @param whole whether the body is as long as the head has promised. If not, only the end of the connection can show this to the client
     */
    static @Nullable CloseCause endsAfter(@Nullable CloseCause decided, boolean whole, boolean bodyComplete) {
        if (!whole) {
            return CloseCause.RESPONSE_INCOMPLETE;
        }
        return decided == null && !bodyComplete ? CloseCause.BODY_UNREAD : decided;
    }
}
