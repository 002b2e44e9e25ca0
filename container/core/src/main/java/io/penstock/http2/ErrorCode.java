package io.penstock.http2;

import io.penstock.limits.StreamReset;

/** The cause of an RST_STREAM or GOAWAY frame (RFC 9113 section 7). */
enum ErrorCode {
    NO_ERROR(0x0),
    PROTOCOL_ERROR(0x1),
    INTERNAL_ERROR(0x2),
    FLOW_CONTROL_ERROR(0x3),
    SETTINGS_TIMEOUT(0x4),
    STREAM_CLOSED(0x5),
    FRAME_SIZE_ERROR(0x6),
    REFUSED_STREAM(0x7),
    CANCEL(0x8),
    COMPRESSION_ERROR(0x9),
    CONNECT_ERROR(0xa),
    ENHANCE_YOUR_CALM(0xb),
    INADEQUATE_SECURITY(0xc),
    HTTP_1_1_REQUIRED(0xd);

    private final int number;

    ErrorCode(int number) {
        this.number = number;
    }

    /** The code on the wire. */
    int number() {
        return number;
    }

    /** The cause of a reset by the server. */
    StreamReset byServer() {
        return switch (this) {
            case NO_ERROR -> StreamReset.SERVER_NO_ERROR;
            case PROTOCOL_ERROR -> StreamReset.SERVER_PROTOCOL_ERROR;
            case INTERNAL_ERROR -> StreamReset.SERVER_INTERNAL_ERROR;
            case FLOW_CONTROL_ERROR -> StreamReset.SERVER_FLOW_CONTROL_ERROR;
            case STREAM_CLOSED -> StreamReset.SERVER_STREAM_CLOSED;
            case FRAME_SIZE_ERROR -> StreamReset.SERVER_FRAME_SIZE_ERROR;
            case REFUSED_STREAM -> StreamReset.SERVER_REFUSED_STREAM;
            case CANCEL -> StreamReset.SERVER_CANCEL;
            case ENHANCE_YOUR_CALM -> StreamReset.SERVER_ENHANCE_YOUR_CALM;
            default -> throw new IllegalArgumentException(this + " is no error of a stream");
        };
    }

    /** The cause of a reset by the client, by the code in its frame. */
    static StreamReset byClient(int number) {
        return switch (number) {
            case 0x0 -> StreamReset.CLIENT_NO_ERROR;
            case 0x1 -> StreamReset.CLIENT_PROTOCOL_ERROR;
            case 0x2 -> StreamReset.CLIENT_INTERNAL_ERROR;
            case 0x3 -> StreamReset.CLIENT_FLOW_CONTROL_ERROR;
            case 0x8 -> StreamReset.CLIENT_CANCEL;
            default -> StreamReset.CLIENT_OTHER;
        };
    }
}
