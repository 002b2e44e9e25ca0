package io.penstock.limits;

/**
 * Limits on a request as it arrives: on its head, chunks, trailers and the length of its body. A reactor checks them while it frames the
 * request (RFC 9112). A violation closes the connection; {@link Key} defines the status. {@link ParameterLimits} limit the values that are
 * parsed from the request later. Values are in bytes unless stated otherwise.
 *
 * @param requestLine longest request line without its CRLF
 * @param headerBytes all header lines of one head together
 * @param headerCount the most header fields of one head (a number)
 * @param chunkExtensionBytes longest chunk extension of one chunk
 * @param trailerBytes all trailer lines of one body together
 * @param bodyBytes largest request body
 */
public record MessageLimits(
        int requestLine, int headerBytes, int headerCount, int chunkExtensionBytes, int trailerBytes, long bodyBytes) {

    public MessageLimits {
        Check.atLeast(Key.REQUEST_LINE_LIMIT, requestLine, 64);
        Check.atLeast(Key.HEADER_BYTES_LIMIT, headerBytes, 256);
        Check.atLeast(Key.HEADER_COUNT_LIMIT, headerCount, 1);
        Check.atLeast(Key.CHUNK_EXTENSION_LIMIT, chunkExtensionBytes, 0);
        Check.atLeast(Key.TRAILER_BYTES_LIMIT, trailerBytes, 0);
        Check.atLeast(Key.BODY_LIMIT, bodyBytes, 0);
    }

    public static MessageLimits defaults() {
        return of(Configuration.defaults());
    }

    static MessageLimits of(Configuration given) {
        return new MessageLimits(
                given.bufferBytes(Key.REQUEST_LINE_LIMIT),
                given.bufferBytes(Key.HEADER_BYTES_LIMIT),
                given.number(Key.HEADER_COUNT_LIMIT),
                given.bufferBytes(Key.CHUNK_EXTENSION_LIMIT),
                given.bufferBytes(Key.TRAILER_BYTES_LIMIT),
                given.bytes(Key.BODY_LIMIT));
    }
}
