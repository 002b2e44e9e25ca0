package io.penstock.reactor;

import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.limits.OperatorFile;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.OptionalInt;

/** The server cannot listen at a {@link BindAddress}. The message names the address and the reason for the operator. */
public final class ListenException extends IOException {
    private static final long serialVersionUID = 1;

    private static final int FIRST_UNPRIVILEGED_PORT = 1024;

    private final transient BindAddress address;

    ListenException(BindAddress address, Exception cause) {
        super("cannot listen on " + address + ": " + reason(address, cause), cause);
        this.address = address;
    }

    /** The TCP port at which the server cannot listen; empty if the address has no TCP port. */
    public OptionalInt port() {
        return address instanceof BindAddress.Network network ? OptionalInt.of(network.port()) : OptionalInt.empty();
    }

    private static String reason(BindAddress address, Exception cause) {
        boolean unknown = cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException;
        String reason = unknown
                ? "unknown host"
                : cause instanceof IOException failure
                        ? OperatorFile.reason(failure)
                        : String.valueOf(cause.getMessage());
        boolean privileged = address instanceof BindAddress.Network network
                && network.port() < FIRST_UNPRIVILEGED_PORT
                && "Permission denied".equals(reason);
        return privileged
                ? reason + ". A process needs a permission for ports below 1024, such as CAP_NET_BIND_SERVICE"
                : reason;
    }
}
