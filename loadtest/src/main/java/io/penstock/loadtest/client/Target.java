package io.penstock.loadtest.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The server and the resource of a request.
 *
 * @param address the address of the server; the name is resolved once, so that no name is looked up during a measurement
 * @param authority the value of the field {@code Host}
 * @param path the path and the query, as in the request line
 */
public record Target(InetSocketAddress address, String authority, String path) {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /** @throws IllegalArgumentException if the scheme of the URL is not {@code http}, or its host is not known */
    public static Target of(URI url) {
        return of(url, "http", HTTP_PORT);
    }

    /** @throws IllegalArgumentException if the scheme of the URL is not {@code https}, or its host is not known */
    public static Target overTls(URI url) {
        return of(url, "https", HTTPS_PORT);
    }

    private static Target of(URI url, String scheme, int usualPort) {
        if (!scheme.equals(url.getScheme()) || url.getHost() == null) {
            throw new IllegalArgumentException("Not a URL that starts with " + scheme + "://: " + url);
        }
        int port = url.getPort() < 0 ? usualPort : url.getPort();
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        try {
            InetAddress host = InetAddress.getByName(url.getHost());
            return new Target(new InetSocketAddress(host, port), url.getRawAuthority(), path + query);
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("Unknown host: " + url.getHost(), unknown);
        }
    }

    /** The bytes of a complete GET request without a body. */
    public ByteBuffer get() {
        return bytes(requestLine("GET") + "\r\n");
    }

    /** The bytes of the head of a POST request whose body has the given length. */
    public ByteBuffer headOfPost(int length) {
        return bytes(requestLine("POST") + "Content-Type: application/octet-stream\r\nContent-Length: " + length
                + "\r\n\r\n");
    }

    /** The bytes of a request head that ends in the middle of a field. */
    public ByteBuffer halfHead() {
        return bytes(requestLine("GET") + "X-Unfinished: so far and");
    }

    /** The request line and the field {@code Host}. */
    String requestLine(String method) {
        return method + " " + path + " HTTP/1.1\r\nHost: " + authority + "\r\n";
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
