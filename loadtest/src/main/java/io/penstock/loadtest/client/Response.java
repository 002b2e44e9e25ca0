package io.penstock.loadtest.client;

import java.nio.charset.StandardCharsets;

/** A complete response. */
public final class Response {
    private final int status;
    private final Fields fields;
    private final byte[] body;

    Response(int status, Fields fields, byte[] body) {
        this.status = status;
        this.fields = fields;
        this.body = body;
    }

    public int status() {
        return status;
    }

    public Fields fields() {
        return fields;
    }

    /** The body; empty if the response had none. The caller may change the array. */
    public byte[] body() {
        return body;
    }

    /** The body as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
