package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.Response;
import java.io.IOException;

/** The cookie of a session, whatever its name. */
final class SessionCookie {
    private SessionCookie() {}

    /**
     * The value for the field {@code Cookie}.
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
