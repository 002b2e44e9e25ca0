package io.penstock.http;

/** The protocol version of a message (RFC 9110 section 2.5). */
public enum Version {
    HTTP_1_0("HTTP/1.0"),
    HTTP_1_1("HTTP/1.1");

    private final String text;

    Version(String text) {
        this.text = text;
    }

    /** As it stands on the request line and in {@code ServletRequest.getProtocol()}. */
    public String text() {
        return text;
    }
}
