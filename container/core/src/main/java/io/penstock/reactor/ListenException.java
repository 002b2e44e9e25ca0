package io.penstock.reactor;

import io.penstock.limits.ListenPlace;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** The server cannot listen at a place. The message names the place and the reason, in words for the operator. */
public final class ListenException extends IOException {
    private static final long serialVersionUID = 1;

    ListenException(ListenPlace place, Exception cause) {
        super("cannot listen on " + place + ": " + reason(cause), cause);
    }

    private static String reason(Exception cause) {
        boolean unknown = cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException;
        return unknown ? "unknown host" : String.valueOf(cause.getMessage());
    }
}
