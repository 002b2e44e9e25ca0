package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.Response;
import java.io.IOException;

/** Reads the cookie of a session from a response. The name of the cookie does not matter. */
final class SessionCookie {
    private SessionCookie() {}

    /**
     * Returns the value of the field {@code Cookie} for the following requests of the session.
     *
     * @throws IOException if the response sets no cookie
     */
    static String of(Response response) throws IOException {
        String cookie = response.fields()
                .first("Set-Cookie")
                .orElseThrow(() -> new IOException("the server has set no cookie for a session"));
        return cookie.split(";", 2)[0];
    }
}
