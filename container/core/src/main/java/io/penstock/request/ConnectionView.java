package io.penstock.request;

import io.penstock.exchange.Peer;
import jakarta.servlet.ServletConnection;

/**
 * The connection that {@code ServletRequest.getServletConnection} returns. If the request came through a proxy, this is the connection from
 * the proxy.
 *
 * @param protocol the protocol's identifier in ALPN (RFC 7301)
 * @param protocolConnectionId the id that the protocol itself gives to the connection; empty if the protocol has no such id
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
