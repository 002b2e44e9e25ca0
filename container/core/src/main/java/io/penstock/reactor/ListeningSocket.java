package io.penstock.reactor;

import io.penstock.limits.Listen;
import io.penstock.limits.ListenPlace;
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
 * One place at which the server listens: an address of the network, a Unix domain socket, or a socket that the process has inherited.
 *
 * <p>Thread: the acceptor's thread; the acceptor's owner calls {@link #open}, {@link #address} and {@link #removeFile}. Owns: the channel,
 * unless it is inherited, and the file of a Unix domain socket.
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

    /** @throws ListenException if the address cannot be bound; then nothing is left open */
    static ListeningSocket open(Acceptor.Endpoint endpoint, Listen limits) throws ListenException {
        ListenPlace place = endpoint.place();
        try {
            if (place instanceof ListenPlace.Network network) {
                return atNetwork(network.resolved(), endpoint.receiver(), limits);
            } else if (place instanceof ListenPlace.UnixSocket unix) {
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
            throw new ListenException(place, e);
        }
    }

    private static ListeningSocket atNetwork(InetSocketAddress address, Acceptor.Receiver receiver, Listen limits)
            throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            if (limits.receiveBuffer() > 0) {
                // Accepted sockets inherit the buffer size, so their TCP window has it from the beginning.
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

    private static ListeningSocket atFile(ListenPlace.UnixSocket place, Acceptor.Receiver receiver, Listen limits)
            throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            SocketFile file = SocketFile.bind(channel, place, limits.backlog());
            return new ListeningSocket(
                    channel, UnixDomainSocketAddress.of(place.file()), Origin.OWN, limits.sendBuffer(), receiver, file);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** @param channel the standard input; null if it is no socket */
    private static ServerSocketChannel inherited(@Nullable Channel channel) throws IOException {
        if (channel instanceof ServerSocketChannel listening) {
            return listening;
        }
        throw new IOException(
                channel == null
                        ? "the standard input is not a socket"
                        : "the standard input is a socket that does not listen (systemd: Accept=no and ListenStream)");
    }

    /** The address, with the port that the system has chosen if port 0 was configured. */
    SocketAddress address() {
        return address;
    }

    /** The selector calls {@code acceptor} when there are connections. */
    void register(Reactor reactor, Acceptor acceptor) throws IOException {
        key = reactor.register(acceptor, channel, 0);
    }

    /** The selector no longer looks for connections. */
    void unregister() {
        if (key != null) {
            key.cancel();
        }
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
        if (address instanceof InetSocketAddress) {
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

    /**
     * Stops listening. An inherited channel is not closed: the JDK would close standard output and error with it, and the last log lines
     * would be lost.
     */
    void close() throws IOException {
        if (origin == Origin.OWN) {
            channel.close();
        } else {
            unregister();
        }
    }

    /** Removes the file of a Unix domain socket, if the file still belongs to this socket. Clients that have connected are not affected. */
    void removeFile() throws IOException {
        if (file != null) {
            file.remove();
        }
    }
}
