package io.penstock.limits;

import java.util.Map;

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

    /**
     * The largest bodies of single paths in bytes, by their paths as {@link io.penstock.address.ContextLocation} writes them.
     *
     * @throws ConfigurationException if a path ends with {@code /*}, so that it would have no effect
     */
    static Map<String, Long> bodyBytesOfPaths(Configuration given) {
        return given.ofPaths(ApplicationKey.BODY_LIMIT, own -> (Long) own.value());
    }
}
