package io.penstock.request;

import io.penstock.reactor.TlsSession;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The request attributes that describe TLS (Servlet 6.1, section 3.10). */
final class SecureAttributes {
    private static final String PREFIX = "jakarta.servlet.request.";

    private SecureAttributes() {}

    /** Returns the attributes that describe a TLS session; an empty map if there is no TLS session. */
    static Map<String, Object> of(@Nullable TlsSession tls) {
        if (tls == null) {
            return Map.of();
        }
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put(PREFIX + "secure_protocol", tls.protocol());
        attributes.put(PREFIX + "cipher_suite", tls.cipherSuite());
        attributes.put(PREFIX + "key_size", tls.keySize());
        // An empty id would be the same for all clients.
        if (!tls.id().isEmpty()) {
            attributes.put(PREFIX + "ssl_session_id", tls.id());
        }
        if (!tls.certificates().isEmpty()) {
            attributes.put(PREFIX + "X509Certificate", tls.certificates().toArray(X509Certificate[]::new));
        }
        return attributes;
    }
}
