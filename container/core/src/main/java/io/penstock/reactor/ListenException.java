package io.penstock.reactor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** The server cannot listen on an address. The message names the address and the reason, in words for the operator. */
public final class ListenException extends IOException {
    private static final long serialVersionUID = 1;

    ListenException(SocketAddress address, Exception cause) {
        super("cannot listen on " + shown(address) + ": " + reason(cause), cause);
    }

    /** The address as it was configured. */
    private static String shown(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                ? inet.getHostString() + ":" + inet.getPort()
                : address.toString();
    }

    private static String reason(Exception cause) {
        boolean unknown = cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException;
        return unknown ? "unknown host" : String.valueOf(cause.getMessage());
    }
}
