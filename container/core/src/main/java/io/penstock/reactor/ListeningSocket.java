package io.penstock.reactor;

import io.penstock.limits.Listen;
import io.penstock.limits.ListenAddress.BindAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A socket at which the server listens. It is bound to a network address or to the file of a Unix domain socket, or the process has
 * inherited it.
 *
 * <p>Thread: the thread of the {@link Acceptor}. The owner of the acceptor calls {@link #open}, {@link #address} and {@link #removeFile}.
 * This object owns the file of a Unix domain socket, and the channel if it is not inherited.
 */
final class ListeningSocket {
    private final ServerSocketChannel channel;
    private final SocketAddress address;
    private final Origin origin;
    private final int sendBuffer;
    private final Acceptor.Receiver receiver;
    private final @Nullable SocketFile file;
    private @Nullable SelectionKey key;

    private enum Origin {
        OWN,
        INHERITED
    }

    private ListeningSocket(
            ServerSocketChannel channel,
            SocketAddress address,
            Origin origin,
            int sendBuffer,
            Acceptor.Receiver receiver,
            @Nullable SocketFile file)
            throws IOException {
        this.channel = channel;
        this.address = address;
        this.origin = origin;
        this.sendBuffer = sendBuffer;
        this.receiver = receiver;
        this.file = file;
        channel.configureBlocking(false);
    }

    /** @throws ListenException if the address cannot be bound. In this case the channel is closed */
    static ListeningSocket open(Acceptor.Endpoint endpoint, Listen limits) throws ListenException {
        BindAddress address = endpoint.address();
        try {
            if (address instanceof BindAddress.Network network) {
                return atNetwork(network.resolved(), endpoint.receiver(), limits);
            } else if (address instanceof BindAddress.UnixSocket unix) {
                return atFile(unix, endpoint.receiver(), limits);
            }
            ServerSocketChannel inherited = inherited(System.inheritedChannel());
            return new ListeningSocket(
                    inherited,
                    inherited.getLocalAddress(),
                    Origin.INHERITED,
                    limits.sendBuffer(),
                    endpoint.receiver(),
                    null);
        } catch (IOException | RuntimeException e) {
            throw new ListenException(address, e);
        }
    }

    private static ListeningSocket atNetwork(InetSocketAddress address, Acceptor.Receiver receiver, Listen limits)
            throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            if (limits.receiveBuffer() > 0) {
                // Accepted sockets inherit the buffer size. So their TCP window has this size from the beginning.
                channel.setOption(StandardSocketOptions.SO_RCVBUF, limits.receiveBuffer());
            }
            channel.bind(address, limits.backlog());
            return new ListeningSocket(
                    channel, channel.getLocalAddress(), Origin.OWN, limits.sendBuffer(), receiver, null);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static ListeningSocket atFile(BindAddress.UnixSocket address, Acceptor.Receiver receiver, Listen limits)
            throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            SocketFile file = SocketFile.bind(channel, address, limits.backlog());
            return new ListeningSocket(
                    channel,
                    UnixDomainSocketAddress.of(address.file()),
                    Origin.OWN,
                    limits.sendBuffer(),
                    receiver,
                    file);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** @param channel the channel of the standard input; null if the standard input is not a socket */
    private static ServerSocketChannel inherited(@Nullable Channel channel) throws IOException {
        if (channel instanceof ServerSocketChannel listening) {
            return listening;
        }
        throw new IOException(
                channel == null
                        ? "the standard input is not a socket"
                        : "the standard input is a socket that does not listen (systemd: Accept=no and ListenStream)");
    }

    /** The address of the socket. If port 0 was configured, the address contains the port that the system has chosen. */
    SocketAddress address() {
        return address;
    }

    /** Registers this socket with the reactor's selector. The selector calls {@code acceptor} when a client connects. */
    void register(Reactor reactor, Acceptor acceptor) throws IOException {
        key = reactor.register(acceptor, channel, 0);
    }

    /** Removes this socket from the selector. */
    void unregister() {
        if (key != null) {
            key.cancel();
        }
    }

    /** Sets whether the selector reports new connections. */
    void wantConnections(boolean wanted) {
        if (key != null && key.isValid()) {
            key.interestOps(wanted ? SelectionKey.OP_ACCEPT : 0);
        }
    }

    /** Returns the next connection from the queue of the kernel; null if the queue is empty. */
    @Nullable
    SocketChannel accept() throws IOException {
        return channel.accept();
    }

    /** Configures a connection and passes it to the receiver of this address. */
    void handOn(SocketChannel accepted) throws IOException {
        accepted.configureBlocking(false);
        if (address instanceof InetSocketAddress) {
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        if (sendBuffer > 0) {
            accepted.setOption(StandardSocketOptions.SO_SNDBUF, sendBuffer);
        }
        receiver.accept(accepted);
    }

    /** Asks the receiver to close a connection that the receiver could not take over. */
    void closeAccepted(SocketChannel accepted, Throwable cause) {
        receiver.close(accepted, cause);
    }

    /**
     * Stops listening. An inherited channel is not closed, because the JDK would also close the standard output and the standard error. The
     * last log lines would then be lost.
     */
    void close() throws IOException {
        if (origin == Origin.OWN) {
            channel.close();
        } else {
            unregister();
        }
    }

    /** Removes the file of a Unix domain socket, if no other process has replaced the file. Connected clients are not affected. */
    void removeFile() throws IOException {
        if (file != null) {
            file.remove();
        }
    }
}
