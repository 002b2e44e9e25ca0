package io.penstock.part;

import io.penstock.challenges.HttpChallenges;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders the certificate of a server from an authority, and renews it. A server that has the key {@code acme} looks for an implementation
 * as a service ({@code META-INF/services/io.penstock.part.CertificateIssuer}) on its class path or module path. Other servers do not look
 * for one.
 *
 * <p>Thread: the thread that starts the server.
 */
public interface CertificateIssuer {

    /**
     * Prepares the orders of one server. This happens before the server accepts connections, and without network access.
     *
     * @throws IOException if the folder cannot be used or another server uses it; the one-line message gives the reason
     */
    Orders open(Settings settings, Receiver receiver) throws IOException;

    /**
     * The operator's configuration.
     *
     * @param names the hosts of the certificate, in lower case and ASCII; not empty
     * @param directory the directory URL of the authority
     * @param email the address for messages from the authority to the operator; null for none
     * @param folder the folder for the issuer's files; it may not exist yet
     * @param certificate the file in {@code folder} for the certificate, its chain and its key, in PEM
     * @param challenges the kinds of challenges by their names in ACME, the preferred first; not empty
     * @param binding the binding to an account that the operator already has with the authority; null for none
     */
    record Settings(
            List<String> names,
            URI directory,
            @Nullable String email,
            Path folder,
            Path certificate,
            List<String> challenges,
            @Nullable Binding binding) {
        public Settings {
            names = List.copyOf(names);
            challenges = List.copyOf(challenges);
        }
    }

    /**
     * The external binding of an account (RFC 8555 section 7.3.4).
     *
     * @param id the identifier of the operator's account
     * @param key the key in base64url
     */
    record Binding(String id, String key) {
        /** Does not print the key. */
        @Override
        public String toString() {
            return "Binding[id=" + id + "]";
        }
    }

    /** The server that receives the certificate. Thread: any. */
    interface Receiver {

        /** The certificate that clients get now; null if it is self-signed, because the authority has not issued one yet. */
        @Nullable
        X509Certificate current();

        /**
         * Called after the certificate file has been replaced: new connections get the certificate in the file. May wait for a disk.
         *
         * @throws IOException with the reason if the file cannot be used; clients then still get the former certificate
         */
        void replaced() throws IOException;

        /** The answers to challenges of the kind {@code http-01}. */
        HttpChallenges httpChallenges();

        /**
         * Answers a challenge of the kind {@code tls-alpn-01} (RFC 8737) from now on.
         *
         * @param host in lower case and ASCII
         * @param keyAuthorization the answer
         * @throws IOException if this Java cannot make the certificate with the answer
         */
        void openTlsChallenge(String host, String keyAuthorization) throws IOException;

        /** Ends the answer to a challenge. Has no effect if there is no challenge for this host. */
        void closeTlsChallenge(String host);
    }

    /**
     * The orders of one server, one at a time. Each order runs on its own thread, which ends with the order.
     *
     * <p>Thread: {@link #look}: one at a time; the other methods: any.
     */
    interface Orders extends AutoCloseable {

        /**
         * Begins an order if an order is due. Called when the server accepts connections, and every few seconds after that; does not wait.
         */
        void look();

        /** The number of orders that have failed since the last success. Does not wait. */
        int failures();

        /** Aborts an order if one is running, and waits a few seconds at most for its end. */
        @Override
        void close();
    }
}
