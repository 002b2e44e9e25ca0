package io.penstock.http1;

import io.penstock.http.ConnectionOptions;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;

/** Whether a connection is used again after a response of an application, as far as the heads tell (RFC 9112 section 9.3). */
final class Persistence {
    private Persistence() {}

    /**
     * @param selfDelimited whether the client can tell the end of the response without the end of the connection
     * @param bodyComplete whether the whole request body has arrived: otherwise it is unknown where the next request begins
     * @param draining whether the server is about to stop
     */
    static boolean reuses(
            RequestHead request, ResponseHead response, boolean selfDelimited, boolean bodyComplete, boolean draining) {
        return selfDelimited
                && bodyComplete
                && !draining
                && ConnectionOptions.persists(request)
                && !ConnectionOptions.contains(response.fields(), "close");
    }
}
