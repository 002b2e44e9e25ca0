package io.penstock.part;

import io.penstock.challenges.HttpChallenges;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gets the certificate of a server from an authority, and renews it. A server that has the key {@code acme} finds this as a service ({@code
 * META-INF/services/io.penstock.part.CertificateIssuer}) on its class path or module path; no other server looks for one.
 *
 * <p>Thread: the one that starts the server.
 */
public interface CertificateIssuer {

    /**
     * Prepares the orders of one server: without the network, and before the server accepts connections.
     *
     * @throws IOException with one line that gives the reason, if the folder cannot be used or another server uses it
     */
    Orders open(Settings settings, Receiver receiver) throws IOException;

    /**
     * What the operator has configured.
     *
     * @param names hosts of the certificate, in lower case and ASCII; not empty
     * @param directory of the authority
     * @param email where the authority can reach the operator; null for nowhere
     * @param folder for the kept files; it may not exist yet
     * @param certificate the file in it for the certificate, its chain and its key, in PEM
     * @param challenges kinds of proofs by their names in ACME, the preferred first; not empty
     * @param binding to an account that the operator has with the authority; null for none
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
     * The binding of an account (RFC 8555 section 7.3.4).
     *
     * @param id of the operator's account
     * @param key in base64url
     */
    record Binding(String id, String key) {
        /** Without the key. */
        @Override
        public String toString() {
            return "Binding[id=" + id + "]";
        }
    }

    /** The server that gets the certificate. Thread: any. */
    interface Receiver {

        /** The certificate that clients get now; null if it is self-signed, since the server has none from the authority yet. */
        @Nullable
        X509Certificate current();

        /**
         * The file has been replaced: new connections get the certificate in it. May wait for a disk.
         *
         * @throws IOException with the reason, if the file cannot be used; clients still get the former certificate
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

        /** The challenge is over. No effect if there is none for this host. */
        void closeTlsChallenge(String host);
    }

    /**
     * The orders of one server: one at a time, each on a thread of its own, which exists only while an order runs.
     *
     * <p>Thread: {@link #look} one at a time; the others any.
     */
    interface Orders extends AutoCloseable {

        /** Begins an order if it is time for one. Called when the server accepts connections, and every few seconds from then on; does not wait. */
        void look();

        /** The orders that have failed since the last success. Does not wait. */
        int failures();

        /** Ends a running order, if there is one, and waits for its end for a few seconds at most. */
        @Override
        void close();
    }
}
