package io.penstock.limits;

/**
 * Limits on a request as it arrives: on its head, chunks, trailers and the length of its body. A reactor (a selector thread) checks these
 * limits while it parses the request (RFC 9112). After a violation the connection is closed; {@link Key} defines the response status.
 * {@link ParameterLimits} limit the values that are parsed from the request later. Values are in bytes unless stated otherwise.
 *
 * @param requestLine the longest request line without its CRLF
 * @param headerBytes the most bytes of all header lines of one head together
 * @param headerCount the most header fields of one head (a number)
 * @param chunkExtensionBytes the longest chunk extension of one chunk
 * @param trailerBytes the most bytes of all trailer lines of one body together
 * @param bodyBytes the largest request body
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
