package io.penstock.boot.autoconfigure;

import io.penstock.testing.AnyCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLSocket;

/** Reads the subject of a server's certificate. */
final class Subjects {
    private Subjects() {}

    static String of(int port) throws IOException {
        try (SSLSocket socket = (SSLSocket)
                AnyCertificate.trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.startHandshake();
            X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName();
        }
    }
}
