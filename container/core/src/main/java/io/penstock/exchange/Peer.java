package io.penstock.exchange;

import java.net.InetSocketAddress;

/**
 * The connection an exchange came by, as far as an application may know it.
 *
 * @param connectionId unique within the server's life
 * @param secure whether the transport is encrypted
 */
public record Peer(String connectionId, InetSocketAddress remote, InetSocketAddress local, boolean secure) {}
