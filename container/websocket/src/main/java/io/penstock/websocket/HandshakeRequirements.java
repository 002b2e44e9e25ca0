package io.penstock.websocket;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.websocket.server.HandshakeRequest;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a request is a WebSocket handshake (RFC 6455 section 4.2.1). The extended CONNECT of HTTP/2 (RFC 8441) has the same form for
 * applications. Thread: any.
 */
final class HandshakeRequirements {
    static final String VERSION = "13";

    private static final String NO_KEY =
            "A WebSocket handshake needs one Sec-WebSocket-Key of sixteen octets in Base64";
    private static final String METHOD = "GET";
    private static final String TOO_OLD = "HTTP/1.0";
    private static final int KEY_OCTETS = 16;
    private static final int KEY_CHARS = 24;

    private HandshakeRequirements() {}

    /** A sentence about a missing requirement of a handshake; null if {@code request} is a handshake. */
    static @Nullable String missing(HttpServletRequest request) {
        if (!isGet(request) || request.getProtocol().equals(TOO_OLD)) {
            return "A WebSocket handshake is a GET request of HTTP/1.1 or HTTP/2, not " + request.getMethod() + " of "
                    + request.getProtocol();
        }
        if (!asksForUpgrade(request)) {
            return "A WebSocket handshake needs Upgrade: websocket and Connection: Upgrade";
        }
        if (!hasVersion(request)) {
            return "A WebSocket handshake needs Sec-WebSocket-Version: " + VERSION;
        }
        return hasKey(request) ? null : NO_KEY;
    }

    /** Whether the request asks for an upgrade to WebSocket, with or without the other requirements. */
    static boolean asksForUpgrade(HttpServletRequest request) {
        return request.getHeader(Headers.UPGRADE) != null
                && contains(request, Headers.UPGRADE, Headers.WEBSOCKET)
                && contains(request, Headers.CONNECTION, Headers.UPGRADE);
    }

    private static boolean contains(HttpServletRequest request, String field, String token) {
        return Headers.elements(Collections.list(request.getHeaders(field)), ',').stream()
                .anyMatch(token::equalsIgnoreCase);
    }

    static boolean isGet(HttpServletRequest request) {
        return request.getMethod().equals(METHOD);
    }

    static boolean hasVersion(HttpServletRequest request) {
        return VERSION.equals(request.getHeader(HandshakeRequest.SEC_WEBSOCKET_VERSION));
    }

    /** Whether the request has exactly one valid key. The field must not appear twice (RFC 6455 section 11.3.1). */
    private static boolean hasKey(HttpServletRequest request) {
        List<String> keys = Collections.list(request.getHeaders(HandshakeRequest.SEC_WEBSOCKET_KEY));
        return keys.size() == 1 && isKey(keys.get(0));
    }

    private static boolean isKey(String key) {
        try {
            return key.length() == KEY_CHARS && Base64.getDecoder().decode(key).length == KEY_OCTETS;
        } catch (IllegalArgumentException e) {
            return false; // not Base64
        }
    }
}
