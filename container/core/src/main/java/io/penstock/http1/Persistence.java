package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.http.ConnectionOptions;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection can be used again after a response of an application, as it is known when the response's head leaves (RFC 9112
 * section 9.3).
 */
final class Persistence {
    private Persistence() {}

    /**
     * Why the connection must end with a response; null if it can be used again.
     *
     * @param selfDelimited whether the client can tell the end of the response without the end of the connection
     * @param bodyComplete whether the whole request body has arrived: otherwise it is unknown where the next request begins
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
        if (!bodyComplete) {
            return CloseCause.BODY_UNREAD;
        }
        return draining ? CloseCause.SERVER_STOPPING : null;
    }
}
