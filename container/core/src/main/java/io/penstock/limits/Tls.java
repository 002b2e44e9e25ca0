package io.penstock.limits;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the server's certificates and keys are, and by which rules clients may speak TLS.
 *
 * @param certificates PEM files, each with a certificate and its chain
 * @param keys PEM files of their keys, in the same order; empty if each key is in the file of its certificate
 * @param keystore a PKCS#12 or JKS file with certificates and keys instead; null for none
 * @param keyPassword of encrypted keys and of the key store, or {@link #NO_PASSWORD}
 * @param keyPasswordFile whose first line is that password; null for none
 * @param selfSigned whether the server makes a certificate for this machine, instead of files
 * @param clientAuth whether clients are asked for certificates
 * @param trust a PEM, PKCS#12 or JKS file with the authorities of clients' certificates; null for none
 * @param trustPassword of that file, or {@link #NO_PASSWORD}
 * @param protocols the versions that are spoken; not empty
 * @param ciphers the suites that are spoken, the preferred first; empty for the default
 * @param reloadInterval between two looks at the files; zero for none
 */
public record Tls(
        List<Path> certificates,
        List<Path> keys,
        @Nullable Path keystore,
        String keyPassword,
        @Nullable Path keyPasswordFile,
        Switch selfSigned,
        ClientAuth clientAuth,
        @Nullable Path trust,
        String trustPassword,
        List<Protocol> protocols,
        List<String> ciphers,
        Duration reloadInterval) {
    public static final String NO_PASSWORD = "none";

    /** Whether clients are asked for certificates. */
    public enum ClientAuth {
        NONE,
        /** A client may have one. */
        WANT,
        /** A client without one is refused. */
        NEED
    }

    /** The versions of TLS that are safe, the better one first. */
    public enum Protocol {
        TLS_1_3("TLSv1.3"),
        TLS_1_2("TLSv1.2");

        private final String id;

        Protocol(String id) {
            this.id = id;
        }

        /** The name in the JDK. */
        public String id() {
            return id;
        }
    }

    public Tls {
        certificates = List.copyOf(certificates);
        keys = List.copyOf(keys);
        protocols = List.copyOf(protocols);
        ciphers = List.copyOf(ciphers);
    }

    /** Without the passwords. */
    @Override
    public String toString() {
        return "Tls[certificates=" + certificates + ", keys=" + keys + ", keystore=" + keystore + ", selfSigned="
                + selfSigned + ", clientAuth=" + clientAuth + ", trust=" + trust + ", protocols=" + protocols
                + ", ciphers=" + ciphers + ", reloadInterval=" + reloadInterval + "]";
    }
}
