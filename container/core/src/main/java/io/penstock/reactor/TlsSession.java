package io.penstock.reactor;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Predicate;

/**
 * The TLS session of a connection, with the values that an application can read.
 *
 * @param protocol the name of the protocol version, such as {@code TLSv1.3}
 * @param cipherSuite the standard name of the cipher suite
 * @param keySize the length of the cipher's key in bits
 * @param id the session's id in hexadecimal digits. With TLS 1.2 all connections that resume the session have the same id; with TLS 1.3
 *     each connection has its own id. The id may be empty
 * @param certificates the certificate chain of the client, with the certificate of the client first; empty if the client sent no
 *     certificate
 * @param hosts returns whether the handshake was made for a given host. Requests for other hosts need another connection. Only the reactor
 *     calls this predicate
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
