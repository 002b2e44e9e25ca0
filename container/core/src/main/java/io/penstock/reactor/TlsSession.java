package io.penstock.reactor;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The TLS session of a connection, as far as an application may know it.
 *
 * @param protocol as in {@code TLSv1.3}
 * @param cipherSuite by its standard name
 * @param keySize bits of the cipher's key
 * @param id of the session, in hexadecimal digits; the same for connections that resume it
 * @param certificates of the client, its own first; empty where it has shown none
 */
public record TlsSession(
        String protocol, String cipherSuite, int keySize, String id, List<X509Certificate> certificates) {

    public TlsSession {
        certificates = List.copyOf(certificates);
    }
}
