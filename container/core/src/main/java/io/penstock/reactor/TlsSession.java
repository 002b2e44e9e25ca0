package io.penstock.reactor;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Predicate;

/**
 * The TLS session of a connection, with the values that an application may see.
 *
 * @param protocol such as {@code TLSv1.3}
 * @param cipherSuite its standard name
 * @param keySize bits of the cipher's key
 * @param id the session's id in hexadecimal digits. With TLS 1.2 all connections that resume the session have the same id; with TLS 1.3
 *     each connection has its own id. The id may be empty
 * @param certificates the client's chain, its own certificate first; empty if it sent none
 * @param hosts whether the handshake was made for a host; requests for other hosts need another connection. Thread: the reactor
 */
public record TlsSession(
        String protocol,
        String cipherSuite,
        int keySize,
        String id,
        List<X509Certificate> certificates,
        Predicate<String> hosts) {

    /** A session for any host. */
    public TlsSession(String protocol, String cipherSuite, int keySize, String id, List<X509Certificate> certificates) {
        this(protocol, cipherSuite, keySize, id, certificates, host -> true);
    }

    public TlsSession {
        certificates = List.copyOf(certificates);
    }
}
