package io.penstock.sample.slowclients;

import java.nio.charset.StandardCharsets;

/** The ways in which a client of the page is slow. */
enum SlowKind {
    /** The client sends half of a request's head, and then nothing. */
    HEADS,
    /** The client sends the body of a request, one byte per second. */
    UPLOADS,
    /** The client reads a response of some megabytes, some bytes per second. */
    READERS;

    /** More bytes than the kernel buffers for a client that does not read. */
    private static final int ROWS = 300_000;

    /** The kind of that name, as the page sends it; the first one for any other text. */
    static SlowKind named(String name) {
        for (SlowKind kind : values()) {
            if (kind.name().equalsIgnoreCase(name)) {
                return kind;
            }
        }
        return HEADS;
    }

    /** The bytes that a client sends at first. */
    byte[] first(String contextPath) {
        String text =
                switch (this) {
                    case HEADS ->
                        "GET " + contextPath + "/hello HTTP/1.1\r\nHost: localhost\r\nX-Unfinished: so far and";
                    case UPLOADS ->
                        "POST " + contextPath + "/echo-body HTTP/1.1\r\nHost: localhost\r\n"
                                + "Content-Length: 10000\r\n\r\nx";
                    case READERS ->
                        "GET " + contextPath + "/download/readings.csv?rows=" + ROWS
                                + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
                };
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The most clients of this kind at a time. Each reader makes the server hold a response of some megabytes. */
    int most() {
        return this == READERS ? 20 : 100;
    }
}
