package io.penstock.experiments.io.packets;

import io.penstock.experiments.io.measure.WholeFile;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A way to write a message's head and body to a connection. */
public enum PacketsWay {
    GATHERED("head and body in one gathering write", false) {
        @Override
        void write(SocketChannel to, ByteBuffer head, ByteBuffer body) throws IOException {
            ByteBuffer[] both = {head, body};
            while (body.hasRemaining()) {
                to.write(both);
            }
        }
    },
    TWO_WRITES("head, then body: Nagle's algorithm on", false) {
        @Override
        void write(SocketChannel to, ByteBuffer head, ByteBuffer body) throws IOException {
            writeBoth(to, head, body);
        }
    },
    TWO_WRITES_NO_DELAY("head, then body: TCP_NODELAY", true) {
        @Override
        void write(SocketChannel to, ByteBuffer head, ByteBuffer body) throws IOException {
            writeBoth(to, head, body);
        }
    };

    private final String label;
    private final boolean noDelay;

    PacketsWay(String label, boolean noDelay) {
        this.label = label;
        this.noDelay = noDelay;
    }

    public String label() {
        return label;
    }

    void prepare(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, noDelay);
    }

    /** Writes the head and the body. The body must not be empty. */
    abstract void write(SocketChannel to, ByteBuffer head, ByteBuffer body) throws IOException;

    private static void writeBoth(SocketChannel to, ByteBuffer head, ByteBuffer body) throws IOException {
        WholeFile.writeAll(head, to);
        WholeFile.writeAll(body, to);
    }
}
