package io.penstock.http;

/** The content codings that the server sends (RFC 9110 section 8.4.1), in the order of preference. */
public enum ContentCoding {
    BROTLI("br"),
    ZSTANDARD("zstd"),
    GZIP("gzip");

    private final String token;

    ContentCoding(String token) {
        this.token = token;
    }

    /** The name in {@code Content-Encoding} and {@code Accept-Encoding}. */
    public String token() {
        return token;
    }
}
