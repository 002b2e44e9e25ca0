package io.penstock.websocket;

import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.glassfish.tyrus.spi.CompletionHandler;
import org.glassfish.tyrus.spi.Writer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the frames of the WebSocket engine to the client. If the client reads too slowly, the write waits.
 *
 * <p>Thread: any; one frame at a time.
 */
final class FrameWriter extends Writer {
    private final EndpointConnection connection;

    FrameWriter(EndpointConnection connection) {
        this.connection = connection;
    }

    @Override
    public synchronized void write(ByteBuffer frame, @Nullable CompletionHandler<ByteBuffer> listener) {
        try {
            ServletOutputStream out = connection.opened().getOutputStream();
            out.write(frame.duplicate());
            out.flush();
        } catch (IOException | IllegalStateException e) {
            if (listener != null) {
                listener.failed(e);
            }
            return;
        }
        if (listener != null) {
            listener.completed(frame);
        }
    }

    @Override
    public void close() {
        connection.giveUp();
    }
}
