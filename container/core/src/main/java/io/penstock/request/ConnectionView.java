package io.penstock.request;

import io.penstock.exchange.Peer;
import jakarta.servlet.ServletConnection;

/** The connection as {@code ServletRequest.getServletConnection} shows it. */
record ConnectionView(Peer peer, String protocol) implements ServletConnection {

    @Override
    public String getConnectionId() {
        return peer.connectionId();
    }

    /** The identifier of the protocol in ALPN (RFC 7301). */
    @Override
    public String getProtocol() {
        return protocol;
    }

    /** HTTP/1 has no identifiers of connections. */
    @Override
    public String getProtocolConnectionId() {
        return "";
    }

    @Override
    public boolean isSecure() {
        return peer.secure();
    }
}
