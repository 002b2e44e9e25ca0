package io.penstock.http;

/** The protocol version of a message (RFC 9110 section 2.5). */
public enum Version {
    HTTP_1_0("HTTP/1.0", "http/1.0"),
    HTTP_1_1("HTTP/1.1", "http/1.1"),
    HTTP_2("HTTP/2.0", "h2");

    private final String text;
    private final String alpn;

    Version(String text, String alpn) {
        this.text = text;
        this.alpn = alpn;
    }

    /** The text that {@code ServletRequest.getProtocol()} returns. In HTTP/1 it is also the text in the request line. */
    public String text() {
        return text;
    }

    /** The identifier of the version in ALPN (RFC 7301 section 6). */
    public String alpn() {
        return alpn;
    }

    /** Whether a message may have trailer fields (RFC 9110 section 6.5). */
    public boolean hasTrailers() {
        return this != HTTP_1_0;
    }
}
