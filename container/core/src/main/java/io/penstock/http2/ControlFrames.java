package io.penstock.http2;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Deadline;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a client that carry no part of a request, and the client's SETTINGS (RFC 9113 sections 6.3 to 6.9, RFC 9218 section 7.1).
 * Most of them cost only the server ({@link Patience}).
 *
 * <p>Thread: the reactor.
 */
final class ControlFrames {
    /** A client that enlarges a window in smaller steps costs more than it needs. */
    private static final int SMALL_INCREMENT = 64;

    private final Http2Connection connection;
    private boolean settingsArrived;
    private boolean isKnown; // whether the client has acknowledged the server's SETTINGS
    private @Nullable Deadline acknowledgement; // while the server waits for it
    private int sendWindow = Frame.FIRST_WINDOW;

    ControlFrames(Http2Connection connection) {
        this.connection = connection;
    }

    /** Whether the client has sent SETTINGS, which must be its first frame. */
    boolean hasSettings() {
        return settingsArrived;
    }

    /** How many bytes of a response the client permits when a stream begins. */
    int sendWindow() {
        return sendWindow;
    }

    /** How many bytes of a body a client may send when it begins a stream: those of the server's SETTINGS, when it knows them. */
    int receiveWindow() {
        return isKnown ? connection.receiveWindow() : Frame.FIRST_WINDOW;
    }

    /** The connection has closed. */
    void close() {
        if (acknowledgement != null) {
            acknowledgement.remove();
            acknowledgement = null;
        }
    }

    private Http2Output output() {
        return connection.output();
    }

    static void require(boolean valid, ErrorCode code, String otherwise) throws ConnectionError {
        if (!valid) {
            throw new ConnectionError(code, otherwise);
        }
    }

    private static int number(byte[] payload, int at) {
        return (payload[at] & 0xFF) << 24
                | (payload[at + 1] & 0xFF) << 16
                | (payload[at + 2] & 0xFF) << 8
                | payload[at + 3] & 0xFF;
    }

    void priority(int stream, byte[] payload, int start, int length) throws ConnectionError, IOException {
        require(stream != 0, ErrorCode.PROTOCOL_ERROR, "PRIORITY of the connection");
        connection.glitch(1);
        Http2Stream of = connection.table().find(stream);
        if (length != 5) {
            // No RST_STREAM may answer for a stream that is not open (section 6.4), so the error is one of the
            // connection.
            if (of == null) {
                throw new ConnectionError(ErrorCode.FRAME_SIZE_ERROR, "PRIORITY with another length than 5");
            }
            of.reset(ErrorCode.FRAME_SIZE_ERROR, "PRIORITY with another length than 5");
        } else {
            require(
                    (number(payload, start) & Integer.MAX_VALUE) != stream,
                    ErrorCode.PROTOCOL_ERROR,
                    "stream that depends on itself");
        }
    }

    /** Whether the client has begun this stream. The server begins none, so all streams with even numbers are idle. */
    private boolean hasBegun(int stream) {
        return (stream & 1) == 1 && stream <= connection.table().last();
    }

    /** RFC 9218 section 7.1. Priorities of the client's streams that are not open are ignored. */
    void priorityUpdate(int stream, byte[] payload, int start, int end) throws ConnectionError {
        require(stream == 0, ErrorCode.PROTOCOL_ERROR, "PRIORITY_UPDATE of a stream");
        require(end - start >= 4, ErrorCode.FRAME_SIZE_ERROR, "PRIORITY_UPDATE that is too short");
        connection.glitch(1);
        int prioritized = number(payload, start) & Integer.MAX_VALUE;
        require((prioritized & 1) == 1, ErrorCode.PROTOCOL_ERROR, "PRIORITY_UPDATE for no stream of a client");
        Http2Stream of = connection.table().find(prioritized);
        if (of != null) {
            of.output()
                    .priority(
                            Priority.of(new String(payload, start + 4, end - start - 4, StandardCharsets.ISO_8859_1)));
        }
    }

    void rstStream(int stream, byte[] payload, int start, int length) throws ConnectionError, IOException {
        require(length == 4, ErrorCode.FRAME_SIZE_ERROR, "RST_STREAM with another length than 4");
        require(hasBegun(stream), ErrorCode.PROTOCOL_ERROR, "RST_STREAM of no stream");
        Http2Stream of = connection.table().find(stream);
        connection.glitch(Patience.OF_RESET);
        if (of != null && !of.isReset()) {
            connection.server().count(Counter.STREAMS_RESET);
            connection.server().count(ErrorCode.byClient(number(payload, start)));
            of.onReset(new ConnectionClosed(CloseCause.CLIENT_RESET, "the client has reset the stream"));
            connection.forgetIfOver(of);
        }
    }

    void settings(int flags, int stream, byte[] payload, int start, int end) throws ConnectionError, IOException {
        require(stream == 0, ErrorCode.PROTOCOL_ERROR, "SETTINGS of a stream");
        if ((flags & Frame.ACK) != 0) {
            require(start == end, ErrorCode.FRAME_SIZE_ERROR, "acknowledged SETTINGS with parameters");
            settingsKnown();
            return;
        }
        require((end - start) % 6 == 0, ErrorCode.FRAME_SIZE_ERROR, "SETTINGS with a part of a parameter");
        if (!settingsArrived && !isKnown) {
            awaitAcknowledgement();
        }
        settingsArrived = true;
        connection.glitch(1 + (end - start) / 6);
        int before = sendWindow;
        for (int at = start; at < end; at += 6) {
            int name = (payload[at] & 0xFF) << 8 | payload[at + 1] & 0xFF;
            setting(name, number(payload, at + 2) & 0xFFFFFFFFL);
        }
        if (sendWindow != before) {
            connection.glitch(connection.table().size()); // it concerns all streams
            for (Http2Stream open : connection.table().all()) {
                require(
                        output().enlarge(open.output(), sendWindow - before),
                        ErrorCode.FLOW_CONTROL_ERROR,
                        "window that is too large");
            }
        }
        output().control(Frame.settingsAck());
    }

    /** The server has sent its SETTINGS when the connection began. A client that does not acknowledge them does not obey them (section 6.5.3). */
    private void awaitAcknowledgement() {
        Duration patience = connection.timeouts().handshake();
        acknowledgement = new Deadline(connection.link()) {
            @Override
            protected void passed() throws IOException {
                if (connection.isReading()) {
                    connection.overdue(Key.HANDSHAKE_TIMEOUT, CloseCause.HANDSHAKE_TIMEOUT, ErrorCode.SETTINGS_TIMEOUT);
                } else {
                    in(patience);
                }
            }
        };
        acknowledgement.in(patience);
    }

    /** The client obeys the server's SETTINGS from now on. */
    private void settingsKnown() throws IOException {
        if (!isKnown) {
            isKnown = true;
            close();
            int less = Frame.FIRST_WINDOW - connection.receiveWindow();
            if (less > 0) {
                for (Http2Stream open : connection.table().all()) {
                    open.shrinkWindow(less);
                }
            }
        }
    }

    private void setting(int name, long value) throws ConnectionError, IOException {
        switch (name) {
            case Frame.HEADER_TABLE_SIZE -> {
                if (value < Http2Parts.TABLE_SIZE) {
                    output().shrinkTable();
                }
            }
            case Frame.ENABLE_PUSH ->
                require(value <= 1, ErrorCode.PROTOCOL_ERROR, "ENABLE_PUSH that is neither 0 nor 1");
            case Frame.INITIAL_WINDOW_SIZE -> {
                require(value <= Frame.MAX_WINDOW, ErrorCode.FLOW_CONTROL_ERROR, "initial window that is too large");
                sendWindow = (int) value;
            }
            case Frame.MAX_FRAME_SIZE ->
                require(
                        value >= Frame.MAX_PAYLOAD && value < 1 << 24,
                        ErrorCode.PROTOCOL_ERROR,
                        "maximum size of frames out of range");
            case Frame.ENABLE_CONNECT_PROTOCOL ->
                require(value <= 1, ErrorCode.PROTOCOL_ERROR, "ENABLE_CONNECT_PROTOCOL out of range");
            case Frame.NO_RFC7540_PRIORITIES ->
                require(value <= 1, ErrorCode.PROTOCOL_ERROR, "NO_RFC7540_PRIORITIES out of range");
            default -> {
                // This server's blocks use no dynamic table, and the size of its heads does not depend on the client.
            }
        }
    }

    void ping(int flags, int stream, byte[] payload, int start, int length) throws ConnectionError {
        require(stream == 0, ErrorCode.PROTOCOL_ERROR, "PING of a stream");
        require(length == 8, ErrorCode.FRAME_SIZE_ERROR, "PING with another length than 8");
        if ((flags & Frame.ACK) == 0) {
            connection.glitch(1);
            output().control(Frame.ping(ByteBuffer.wrap(payload, start, 8).getLong(), Frame.ACK));
        }
    }

    void goAway(int stream, int length) throws ConnectionError {
        require(stream == 0, ErrorCode.PROTOCOL_ERROR, "GOAWAY of a stream");
        require(length >= 8, ErrorCode.FRAME_SIZE_ERROR, "GOAWAY that is too short");
        // The client opens no further stream. It closes the connection after its last response.
    }

    void windowUpdate(int stream, byte[] payload, int start, int length) throws ConnectionError, IOException {
        require(length == 4, ErrorCode.FRAME_SIZE_ERROR, "WINDOW_UPDATE with another length than 4");
        int increment = number(payload, start) & Integer.MAX_VALUE;
        if (increment < SMALL_INCREMENT) {
            connection.glitch(1);
        }
        if (stream == 0) {
            require(increment > 0, ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE of 0");
            require(
                    output().enlarge(increment),
                    ErrorCode.FLOW_CONTROL_ERROR,
                    "window of the connection that is too large");
            return;
        }
        require(hasBegun(stream), ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE of no stream");
        Http2Stream of = connection.table().find(stream);
        if (of == null || of.isReset()) {
            return;
        }
        if (increment == 0) {
            of.reset(ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE of 0");
        } else if (!output().enlarge(of.output(), increment)) {
            of.reset(ErrorCode.FLOW_CONTROL_ERROR, "window of the stream that is too large");
        }
    }
}
