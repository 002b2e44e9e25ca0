package io.penstock.limits;

import java.util.Locale;

/** The reason why a stream of HTTP/2 was reset: who has reset it, and the error code of RFC 9113 section 7. {@link Counters} has the numbers. */
public enum StreamReset {
    CLIENT_CANCEL("the client does not want the response any more"),
    CLIENT_NO_ERROR("the client has ended the stream without an error"),
    CLIENT_PROTOCOL_ERROR("the client found a mistake in the response"),
    CLIENT_FLOW_CONTROL_ERROR("the client got more bytes than its window permits"),
    CLIENT_INTERNAL_ERROR("the client failed"),
    CLIENT_OTHER("the client has reset the stream with another error code"),
    SERVER_NO_ERROR("answered before the body had arrived"),
    SERVER_REFUSED_STREAM("refused: too many streams, no memory, or the end of the server; the client may try again"),
    SERVER_CANCEL(
            "a timeout passed: the client took no byte, or its body did not go on; or the application aborted a WebSocket"),
    SERVER_ENHANCE_YOUR_CALM("no memory for the head of the response, which waits for its client"),
    SERVER_PROTOCOL_ERROR("a malformed request"),
    SERVER_STREAM_CLOSED("frames behind the end of the stream"),
    SERVER_FLOW_CONTROL_ERROR("more bytes than the window permits, or a window that is too large"),
    SERVER_FRAME_SIZE_ERROR("a frame with a wrong length"),
    SERVER_INTERNAL_ERROR("the response could not be completed");

    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String meaning;

    StreamReset(String meaning) {
        this.meaning = meaning;
    }

    /** The name for operators, such as {@code client-cancel}. */
    public String id() {
        return id;
    }

    /** A description for the flow board. */
    public String meaning() {
        return meaning;
    }
}
