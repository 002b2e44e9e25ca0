package io.penstock.reactor;

import io.penstock.limits.Listen;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/**
 * One address at which the server listens. The address is one of the network, or a Unix domain socket.
 *
 * <p>Thread: the acceptor's; {@link #bind}, {@link #address} and {@link #removeFile} its owner. Owns: the channel, and the file of a Unix domain socket.
 */
final class ListeningSocket {
    private final ServerSocketChannel channel;
    private final SocketAddress address;
    private final boolean overNetwork;
    private final int sendBuffer;
    private final Acceptor.Receiver receiver;
    private @Nullable SelectionKey key;

    private ListeningSocket(
            ServerSocketChannel channel, boolean overNetwork, int sendBuffer, Acceptor.Receiver receiver)
            throws IOException {
        this.channel = channel;
        this.address = channel.getLocalAddress();
        this.overNetwork = overNetwork;
        this.sendBuffer = sendBuffer;
        this.receiver = receiver;
        channel.configureBlocking(false);
    }

    /** @throws ListenException if the address cannot be bound; nothing is left open */
    static ListeningSocket bind(Acceptor.Endpoint endpoint, Listen limits) throws ListenException {
        boolean overNetwork = !(endpoint.address() instanceof UnixDomainSocketAddress);
        try {
            ServerSocketChannel channel =
                    overNetwork ? ServerSocketChannel.open() : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                if (overNetwork) {
                    prepare(channel, limits);
                }
                channel.bind(endpoint.address(), limits.backlog());
                return new ListeningSocket(channel, overNetwork, limits.sendBuffer(), endpoint.receiver());
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            throw new ListenException(endpoint.address(), e);
        }
    }

    private static void prepare(ServerSocketChannel channel, Listen limits) throws IOException {
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        if (limits.receiveBuffer() > 0) {
            // Accepted sockets inherit the size, so their window is right from the beginning.
            channel.setOption(StandardSocketOptions.SO_RCVBUF, limits.receiveBuffer());
        }
    }

    /** The address, with the port that the system has chosen if port 0 was configured. */
    SocketAddress address() {
        return address;
    }

    /** Has {@code acceptor} called when there are connections. */
    void register(Reactor reactor, Acceptor acceptor) throws IOException {
        key = reactor.register(acceptor, channel, 0);
    }

    /** Whether the selector looks for connections. */
    void wantConnections(boolean wanted) {
        if (key != null && key.isValid()) {
            key.interestOps(wanted ? SelectionKey.OP_ACCEPT : 0);
        }
    }

    /** The next connection that the kernel holds; null if it holds none. */
    @Nullable
    SocketChannel accept() throws IOException {
        return channel.accept();
    }

    /** Hands a connection to the receiver of this address. */
    void handOn(SocketChannel accepted) throws IOException {
        accepted.configureBlocking(false);
        if (overNetwork) {
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        if (sendBuffer > 0) {
            accepted.setOption(StandardSocketOptions.SO_SNDBUF, sendBuffer);
        }
        receiver.accept(accepted);
    }

    /** Has the receiver close a connection that could not be handed on. */
    void closeAccepted(SocketChannel accepted, Throwable cause) {
        receiver.close(accepted, cause);
    }

    void close() throws IOException {
        channel.close();
    }

    /** Removes the file of a Unix domain socket, which is closed. */
    void removeFile() throws IOException {
        if (address instanceof UnixDomainSocketAddress unix) {
            Files.deleteIfExists(unix.getPath()); // a file that stays behind would prevent the next bind
        }
    }
}
