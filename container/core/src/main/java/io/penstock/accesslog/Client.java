package io.penstock.accesslog;

import io.penstock.events.Request;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Where a request came from, as lines show it. No name is ever looked up. */
final class Client {
    private Client() {}

    static String address(Request request) {
        if (!(request.remote() instanceof InetSocketAddress remote)) {
            return request.remote().toString();
        }
        InetAddress address = remote.getAddress();
        return address == null ? remote.getHostString() : address.getHostAddress();
    }

    /** 0 where there are no ports. */
    static int port(Request request) {
        return request.remote() instanceof InetSocketAddress remote ? remote.getPort() : 0;
    }
}
