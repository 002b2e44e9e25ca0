package io.penstock.request;

import io.penstock.exchange.Peer;
import jakarta.servlet.ServletConnection;

/**
 * The connection as {@code ServletRequest.getServletConnection} shows it: the connection of the proxy, if there is one.
 *
 * @param protocol the protocol's identifier in ALPN (RFC 7301)
 * @param protocolConnectionId empty if the protocol has none
 */
record ConnectionView(Peer peer, String protocol, String protocolConnectionId) implements ServletConnection {

    @Override
    public String getConnectionId() {
        return peer.connectionId();
    }

    @Override
    public String getProtocol() {
        return protocol;
    }

    @Override
    public String getProtocolConnectionId() {
        return protocolConnectionId;
    }

    @Override
    public boolean isSecure() {
        return peer.encrypted();
    }
}
