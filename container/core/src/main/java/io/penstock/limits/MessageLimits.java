package io.penstock.limits;

/**
 * Limits on a request as it arrives: on its head, chunks, trailers and the length of its body. A reactor (a selector thread) checks these
 * limits while it parses the request (RFC 9112). After a violation the connection is closed; {@link Key} defines the response status.
 * {@link ParameterLimits} limit the values that are parsed from the request later. Values are in bytes unless stated otherwise.
 */
public record MessageLimits(
        int requestLine, int headerBytes, int headerCount, int chunkExtensionBytes, int trailerBytes, long bodyBytes) {

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
