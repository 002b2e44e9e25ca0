package io.penstock.part;

import io.penstock.challenges.HttpChallenges;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders the certificate of a server from an authority, and renews it. A server whose configuration has the key {@code acme} looks for an
 * implementation of this interface on its class path or module path. The implementation is registered as a service ({@code
 * META-INF/services/io.penstock.part.CertificateIssuer}). A server without this key does not look for an implementation.
 *
 * <p>Thread: the thread that starts the server.
 */
public interface CertificateIssuer {

    /**
     * Prepares the orders of one server. This happens before the server accepts connections, and without network access.
     *
     * @throws IOException if the folder cannot be used, or if another server uses the folder. The message has one line, which gives the
     *     reason
     */
    Orders open(Settings settings, Receiver receiver) throws IOException;

    /**
     * The operator's configuration.
     *
     * @param names the hosts of the certificate, in lower case and ASCII; not empty
     * @param directory the directory URL of the authority
     * @param email the address for messages from the authority to the operator; null if there is no address
     * @param folder the folder for the issuer's files. The folder need not exist
     * @param certificate the file in {@code folder} for the certificate, its chain and its key, in PEM
     * @param challenges the names of the ACME challenge types, in the order of preference; not empty
     * @param binding the binding to an account that the operator already has with the authority; null if there is no binding
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

        /**
         * The certificate that clients get now. Null if the authority has not issued a certificate yet, so that clients get a self-signed
         * certificate.
         */
        @Nullable
        X509Certificate current();

        /**
         * Called after the certificate file has been replaced. From now on, new connections get the certificate in the file. This method
         * may wait for a disk.
         *
         * @throws IOException if the file cannot be used; the message gives the reason. In this case, clients continue to get the former
         *     certificate
         */
        void replaced() throws IOException;

        /** The answers to challenges of the kind {@code http-01}. */
        HttpChallenges httpChallenges();

        /**
         * Answers a challenge of the kind {@code tls-alpn-01} (RFC 8737) from now on.
         *
         * @param host the host of the challenge, in lower case and ASCII
         * @param keyAuthorization the answer to the challenge
         * @throws IOException if this Java runtime cannot make the certificate that contains the answer
         */
        void openTlsChallenge(String host, String keyAuthorization) throws IOException;

        /** Ends the answer to a challenge. Has no effect if there is no challenge for this host. */
        void closeTlsChallenge(String host);
    }

    /**
     * The orders of one server. One order runs at a time. Each order runs on its own thread, which ends with the order.
     *
     * <p>Thread: {@link #look}: one at a time. The other methods: any.
     */
    interface Orders extends AutoCloseable {

        /**
         * Begins an order if an order is due. Called when the server begins to accept connections, and every few seconds afterwards. Does
         * not wait.
         */
        void look();

        /** The number of orders that have failed since the last success. Does not wait. */
        int failures();

        /** Aborts the running order, if there is one, and waits at most a few seconds for its end. */
        @Override
        void close();
    }
}
