package io.penstock.http;

import java.net.InetAddress;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The statements of proxies about a request that a trusted proxy has sent.
 *
 * @param client null if the proxies do not name it
 * @param scheme null if the proxies do not name it
 * @param host with or without a port; null if the proxies do not name it
 * @param port the port that the client has used; 0 if the proxies name no port, or name it only behind the host
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
         * @throws Violation 400 for another scheme. Some proxies send the schemes of WebSocket (RFC 6455 section 3) for requests that open
         * a WebSocket; these schemes are accepted
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
         * @return null if the request has no such field
         * @throws Violation 400 if a field that counts is malformed
         */
        @Nullable
        Forwarding read(Fields fields, Predicate<InetAddress> trusted) throws Violation;
    }

    /** A host with an optional port. */
    static String host(String text) throws Violation {
        if (!TargetSyntax.isAuthority(text)) {
            throw new Violation(400, "malformed host in a field of a proxy");
        }
        return text;
    }

    /** The host and port that the client has used, if a proxy names one of them; else null. */
    public @Nullable String authority(@Nullable String sent) {
        String named = host == null ? sent : host;
        if (port == 0 || named == null || named.isEmpty()) {
            return host;
        }
        return named.substring(0, RequestHead.endOfHost(named)) + ':' + port;
    }
}
