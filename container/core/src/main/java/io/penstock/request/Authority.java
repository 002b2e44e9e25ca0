package io.penstock.request;

import io.penstock.exchange.Peer;
import io.penstock.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * The scheme, host and port to which a request was sent (RFC 9110 section 7.2).
 *
 * @param host the host as in a URL; an IPv6 address has brackets
 */
record Authority(String scheme, String host, int port) {

    /**
     * The authority of a request. It is taken from an absolute target if there is one, otherwise from the Host field, otherwise from the
     * connection's local address.
     */
    static Authority of(RequestHead head, Peer peer) {
        String scheme = peer.secure() ? "https" : "http";
        String named = head.authority();
        if (named == null || named.isEmpty()) {
            return arrived(scheme, peer);
        }
        int end = RequestHead.endOfHost(named);
        return new Authority(scheme, named.substring(0, end), port(named, end, scheme));
    }

    /**
     * The authority of the connection's local address. A Unix domain socket has no host and no port, so the result is {@code localhost}
     * with the default port.
     */
    private static Authority arrived(String scheme, Peer peer) {
        return peer.localPort() < 0
                ? new Authority(scheme, "localhost", defaultPort(scheme))
                : new Authority(scheme, bracketed(peer.localName()), peer.localPort());
    }

    /** The scheme, host and port as in a URL. The port is left out if it is the scheme's default. */
    String origin() {
        String start = scheme + "://" + host;
        return port == defaultPort(scheme) ? start : start + ':' + port;
    }

    /**
     * Returns where the path begins in an absolute URL with this scheme, host and port; -1 if the URL has another one. The port may be
     * written although it is the scheme's default.
     */
    int endIn(String url) {
        String start = scheme + "://";
        if (!url.regionMatches(true, 0, start, 0, start.length())) {
            return -1;
        }
        int end = start.length();
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String named = url.substring(start.length(), end);
        String whole = host + ':' + port;
        boolean same = named.equalsIgnoreCase(whole) || (port == defaultPort(scheme) && named.equalsIgnoreCase(host));
        return same ? end : -1;
    }

    private static int port(String authority, int colon, String scheme) {
        int port = colon + 1 < authority.length() ? parse(authority, colon + 1) : 0;
        return port > 0 ? port : defaultPort(scheme);
    }

    /** The port number behind the colon; 0 if the number is invalid. */
    private static int parse(String authority, int from) {
        int port = 0;
        for (int i = from; i < authority.length(); i++) {
            char c = authority.charAt(i);
            if (c < '0' || c > '9' || port > 6553) {
                return 0;
            }
            port = 10 * port + c - '0';
        }
        return port <= 65535 ? port : 0;
    }

    private static int defaultPort(@Nullable String scheme) {
        return "https".equals(scheme) ? 443 : 80;
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? '[' + host + ']' : host;
    }
}
