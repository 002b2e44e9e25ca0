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
 * @param fields the further fields of each request to this target
 */
public record Target(InetSocketAddress address, String authority, String path, Fields fields) {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /** A target whose requests have no further fields. */
    public Target(InetSocketAddress address, String authority, String path) {
        this(address, authority, path, Fields.NONE);
    }

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

    public Target withField(Fields.Field field) {
        return new Target(address, authority, path, fields.and(field));
    }

    public ByteBuffer get() {
        return bytes(requestLine("GET") + "\r\n");
    }

    /**
     * The bytes of the head of a POST request whose body has the given length. The body is of the type {@code application/octet-stream} if
     * this target has no field {@code Content-Type}.
     */
    public ByteBuffer headOfPost(int length) {
        String type = fields.has("Content-Type") ? "" : "Content-Type: application/octet-stream\r\n";
        return bytes(requestLine("POST") + type + "Content-Length: " + length + "\r\n\r\n");
    }

    /** The bytes of a request head that ends in the middle of a field. */
    public ByteBuffer halfHead() {
        return bytes(requestLine("GET") + "X-Unfinished: so far and");
    }

    /** The request line, the field {@code Host}, and the further fields of this target. */
    String requestLine(String method) {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: " + authority + "\r\n");
        fields.appendTo(head);
        return head.toString();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
