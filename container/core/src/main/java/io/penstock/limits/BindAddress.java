package io.penstock.limits;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** An address at which the server listens, or a socket that it has inherited. {@code toString} returns the text for messages. */
public sealed interface BindAddress {
    /** The default permissions of a Unix domain socket: access for the server's user and group. */
    Set<PosixFilePermission> MODE = Set.copyOf(PosixFilePermissions.fromString("rw-rw----"));

    /**
     * A network address.
     *
     * @param host the name or address to which the socket is bound
     * @param port the TCP port; 0 lets the system choose a free port
     */
    record Network(String host, int port) implements BindAddress {
        /** Resolves the host, and returns the socket address. */
        public InetSocketAddress resolved() {
            return new InetSocketAddress(host, port);
        }

        @Override
        public String toString() {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * A Unix domain socket that the server creates.
     *
     * @param file the socket's file
     * @param mode the file's permissions, which decide who may connect
     */
    record UnixSocket(Path file, Set<PosixFilePermission> mode) implements BindAddress {
        public UnixSocket {
            mode = Set.copyOf(mode);
        }

        @Override
        public String toString() {
            return "unix:" + file;
        }
    }

    /** The listening socket that the process has inherited as its standard input. */
    record Inherited() implements BindAddress {
        @Override
        public String toString() {
            return "inherited:";
        }
    }

    /** Converts a network address, or the address of a Unix domain socket. */
    static BindAddress of(SocketAddress address) {
        if (address instanceof InetSocketAddress inet) {
            return new Network(inet.getHostString(), inet.getPort());
        } else if (address instanceof UnixDomainSocketAddress unix) {
            return new UnixSocket(unix.getPath(), MODE);
        }
        throw new IllegalArgumentException("Neither a network address nor a Unix domain socket: " + address);
    }
}
