package io.penstock.reactor;

import io.penstock.limits.ListenPlace;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.OptionalInt;

/** The server cannot listen at a place. The message names the place and the reason, in words for the operator. */
public final class ListenException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient ListenPlace place;

    ListenException(ListenPlace place, Exception cause) {
        super("cannot listen on " + place + ": " + reason(cause), cause);
        this.place = place;
    }

    /** The TCP port of that place; empty if it has none. */
    public OptionalInt port() {
        return place instanceof ListenPlace.Network network ? OptionalInt.of(network.port()) : OptionalInt.empty();
    }

    private static String reason(Exception cause) {
        boolean unknown = cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException;
        return unknown ? "unknown host" : String.valueOf(cause.getMessage());
    }
}
