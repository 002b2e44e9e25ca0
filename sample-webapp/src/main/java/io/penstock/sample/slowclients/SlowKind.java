package io.penstock.sample.slowclients;

import java.nio.charset.StandardCharsets;

/** The ways in which a client of the page is slow. */
enum SlowKind {
    /** The client sends half of a request's head, and then nothing. */
    HEADS,
    /** The client sends the body of a request, one byte per second. */
    UPLOADS,
    /** The client reads a response of some megabytes, at most 100 bytes per second. */
    READERS;

    /** The number of rows in the response for a reader. The response is larger than the buffers of the kernel. */
    private static final int ROWS = 300_000;

    /** The kind with this name, regardless of case. For any other text, the kind is {@link #HEADS}. */
    static SlowKind named(String name) {
        for (SlowKind kind : values()) {
            if (kind.name().equalsIgnoreCase(name)) {
                return kind;
            }
        }
        return HEADS;
    }

    /** The bytes that a client sends after it has connected. */
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

    /**
     * The most clients of this kind at the same time. Fewer readers are allowed, because the server buffers some
     * megabytes for each reader.
     */
    int most() {
        return this == READERS ? 20 : 100;
    }
}
