package io.penstock.http;

import java.net.InetAddress;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The statements of proxies about a request that a trusted proxy has sent.
 *
 * @param client the client; null if the proxies do not name a client
 * @param scheme the scheme that the client has used; null if the proxies do not name a scheme
 * @param host the host, with or without a port; null if the proxies do not name a host
 * @param port the port that the client has used; 0 if the proxies name no port, or name the port only in {@code host}
 */
public record Forwarding(
        @Nullable ForwardedNode client,
        @Nullable Scheme scheme,
        @Nullable String host,
        int port) {

    /** The scheme that a client has used. */
    public enum Scheme {
        HTTP,
        HTTPS;

        /**
         * Reads a scheme. Some proxies send a WebSocket scheme (RFC 6455 section 3) for a request that opens a WebSocket. Both schemes of
         * WebSocket are accepted.
         *
         * @throws Violation 400 for another scheme
         */
        static Scheme read(String text) throws Violation {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "http", "ws" -> HTTP;
                case "https", "wss" -> HTTPS;
                default -> throw new Violation(400, "malformed scheme in a field of a proxy");
            };
        }
    }

    /** Reads {@code Forwarded}, or the {@code X-Forwarded-} fields. */
    @FunctionalInterface
    public interface Reader {

        /**
         * Reads the fields of a request that comes from a trusted proxy.
         *
         * @return the statements of the proxies; null if the request has none of these fields
         * @throws Violation 400 if a field is malformed. Parts that need not be read are not checked
         */
        @Nullable
        Forwarding read(Fields fields, Predicate<InetAddress> trusted) throws Violation;
    }

    /** Checks that the text is a host with an optional port, and returns the text. */
    static String host(String text) throws Violation {
        if (!HostSyntax.isAuthority(text)) {
            throw new Violation(400, "malformed host in a field of a proxy");
        }
        return text;
    }

    /**
     * Returns the host and the port that the client has used; null if no proxy names a host or a port.
     *
     * @param sent the host and the port that the request itself names
     */
    public @Nullable String authority(@Nullable String sent) {
        String named = host == null ? sent : host;
        if (port == 0 || named == null || named.isEmpty()) {
            return host;
        }
        return named.substring(0, RequestHead.endOfHost(named)) + ':' + port;
    }
}
