package io.penstock.sample.slowclients;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One slow client. After {@link #connect}, its methods never wait for the server. If the socket cannot send or receive
 * at the moment, the next call of {@link #goOn} tries again.
 */
final class SlowClient implements Closeable {
    private static final int CONNECT_MILLIS = 1000;
    private static final int SMALL = 4096;
    private static final int READ_AT_A_TIME = 100;

    private final SlowKind kind;
    private final SocketChannel channel;

    private SlowClient(SlowKind kind, SocketChannel channel) {
        this.kind = kind;
        this.channel = channel;
    }

    /** Connects within a second, and sends the first bytes. */
    static SlowClient connect(SlowKind kind, InetSocketAddress server, String contextPath) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SMALL);
            channel.socket().connect(server, CONNECT_MILLIS);
            channel.configureBlocking(false);
            channel.write(ByteBuffer.wrap(kind.first(contextPath)));
            return new SlowClient(kind, channel);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    /** Sends or reads the next few bytes. Returns whether the connection is open. */
    boolean goOn() {
        try {
            if (kind == SlowKind.UPLOADS) {
                channel.write(ByteBuffer.wrap(new byte[] {'x'}));
            }
            int most = kind == SlowKind.READERS ? READ_AT_A_TIME : SMALL;
            return channel.read(ByteBuffer.allocate(most)) >= 0;
        } catch (IOException gone) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
