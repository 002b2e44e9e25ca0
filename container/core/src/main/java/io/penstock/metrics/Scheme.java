package io.penstock.metrics;

import io.penstock.events.Request;

/** The scheme of a request: the attribute {@code url.scheme} of OpenTelemetry. */
enum Scheme {
    HTTP("http"),
    HTTPS("https");

    private final String id;

    Scheme(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    static Scheme of(Request request) {
        return request.secure() ? HTTPS : HTTP;
    }
}
