package io.penstock.limits;

import io.penstock.address.ContextLocation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The locations of the server's certificates and keys, and the rules for TLS. {@link Key} explains the values.
 *
 * @param keys PEM files of the keys, in the same order; empty if each key is in the file of its certificate
 * @param keystore a PKCS#12 or JKS file with certificates and keys, instead of PEM files; null for none
 * @param keyPassword the password of encrypted keys and of the key store, or {@link #NO_PASSWORD}
 * @param keyPasswordFile a file whose first line is this password; null for none
 * @param trust a PEM, PKCS#12 or JKS file with the authorities that may issue client certificates; null for none
 * @param trustPassword the password of the {@code trust} file, or {@link #NO_PASSWORD}
 * @param protocols the allowed versions; not empty
 * @param ciphers the allowed cipher suites, the preferred first; empty for the default
 * @param provider the name or class of the security provider, or {@link #JDK}
 * @param ocspStapling whether clients get the authority's statement that the certificate is not revoked
 */
public record Tls(
        List<Path> certificates,
        List<Path> keys,
        @Nullable Path keystore,
        String keyPassword,
        @Nullable Path keyPasswordFile,
        Switch selfSigned,
        Switch ofProgram,
        ClientAuth clientAuth,
        Map<String, ClientAuth> clientAuthOfHosts,
        @Nullable Path trust,
        String trustPassword,
        List<Protocol> protocols,
        List<String> ciphers,
        String provider,
        Switch ocspStapling,
        Duration reloadInterval) {
    public static final String NO_PASSWORD = "none";

    /** If {@code provider} has this value, only the security providers of the JDK are used. */
    public static final String JDK = "none";

    /** If {@link Key#TLS_CERT} has this value, the embedding program provides the certificates. */
    public static final String PROGRAM = "program";

    private static final String SECURE = "secure";

    /** The safe versions of TLS, the better version first. */
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
        clientAuthOfHosts = Map.copyOf(clientAuthOfHosts);
        protocols = List.copyOf(protocols);
        ciphers = List.copyOf(ciphers);
        boolean fromStore = keystore != null;
        boolean fromFiles = !certificates.isEmpty();
        boolean ofItsOwn = selfSigned == Switch.ON;
        if (!keys.isEmpty() && keys.size() != certificates.size()) {
            throw new BadValueException(
                    Key.TLS_KEY,
                    "must have as many files as " + Key.TLS_CERT.id() + ", which has " + certificates.size() + ", not "
                            + keys.size());
        }
        if (ofProgram == Switch.ON && (fromStore || fromFiles || ofItsOwn || !keys.isEmpty())) {
            throw new BadValueException(
                    Key.TLS_CERT,
                    "is '" + PROGRAM + "': the program gives the certificate, but another one is configured, too");
        }
        if (ofProgram == Switch.ON && clientAuth != ClientAuth.NONE) {
            throw new BadValueException(
                    Key.TLS_CLIENT_AUTH, "must be set by the program, since the program gives the certificate");
        }
        if (ofProgram == Switch.ON && ocspStapling == Switch.ON) {
            throw new BadValueException(
                    Key.TLS_OCSP_STAPLING, "must be set up by the program, since the program gives the certificate");
        }
        if (fromStore && fromFiles) {
            throw new BadValueException(
                    Key.TLS_KEYSTORE, "is used in place of " + Key.TLS_CERT.id() + "; set one of them");
        }
        if (ofItsOwn && (fromStore || fromFiles)) {
            throw new BadValueException(
                    Key.TLS_SELF_SIGNED, "makes a certificate, but another one is configured already");
        }
        if (!keyPassword.equals(NO_PASSWORD) && keyPasswordFile != null) {
            throw new BadValueException(
                    Key.TLS_KEY_PASSWORD_FILE,
                    "is used in place of " + Key.TLS_KEY_PASSWORD.id() + "; set one of them");
        }
        if (clientAuth != ClientAuth.NONE && !fromStore && !fromFiles && !ofItsOwn) {
            throw new BadValueException(Key.TLS_CLIENT_AUTH, "needs a certificate of the server: " + sources());
        }
        if (clientAuth != ClientAuth.NONE && trust == null) {
            throw new BadValueException(
                    Key.TLS_CLIENT_AUTH, "needs the authorities of clients' certificates: " + Key.TLS_TRUST.id());
        }
        if (!asks(clientAuth, clientAuthOfHosts) && trust != null) {
            throw new BadValueException(Key.TLS_TRUST, "needs " + Key.TLS_CLIENT_AUTH.id() + ", want or need");
        }
    }

    public static Tls defaults() {
        return of(Configuration.defaults(), Acme.of(Configuration.defaults()));
    }

    /** @param acme the ACME settings. If ACME is on, its certificate is the server's only certificate */
    static Tls of(Configuration given, Acme acme) {
        if (acme.isOn()) {
            requireNoOther(given);
        }
        Map<String, ClientAuth> ofHosts = new TreeMap<>();
        for (ApplicationSetting setting : given.applicationSettings()) {
            if (setting.key() == ApplicationKey.CLIENT_AUTH) {
                ofHosts.put(ContextLocation.parse(setting.location()).host(), (ClientAuth) setting.value());
            }
        }
        Switch ofProgram = given.text(Key.TLS_CERT).equals(PROGRAM) ? Switch.ON : Switch.OFF;
        List<Path> files = ofProgram == Switch.ON ? List.of() : files(Key.TLS_CERT, given);
        Tls made = new Tls(
                acme.isOn() ? List.of(acme.certificate()) : files,
                files(Key.TLS_KEY, given),
                given.file(Key.TLS_KEYSTORE),
                given.text(Key.TLS_KEY_PASSWORD),
                given.file(Key.TLS_KEY_PASSWORD_FILE),
                given.choice(Key.TLS_SELF_SIGNED),
                ofProgram,
                given.choice(Key.TLS_CLIENT_AUTH),
                ofHosts,
                given.file(Key.TLS_TRUST),
                given.text(Key.TLS_TRUST_PASSWORD),
                parts(Key.TLS_PROTOCOLS, given).stream().map(Tls::protocol).toList(),
                given.text(Key.TLS_CIPHERS).equals(SECURE) ? List.of() : parts(Key.TLS_CIPHERS, given),
                given.text(Key.TLS_PROVIDER),
                given.choice(Key.TLS_OCSP_STAPLING),
                given.duration(Key.TLS_RELOAD_INTERVAL));
        given.applicationSettings().forEach(made::requireFor);
        return made;
    }

    private static boolean asks(ClientAuth auth, Map<String, ClientAuth> ofHosts) {
        return auth != ClientAuth.NONE || ofHosts.values().stream().anyMatch(own -> own != ClientAuth.NONE);
    }

    /** Throws an exception if a host's rule for client certificates could not be enforced. */
    private void requireFor(ApplicationSetting setting) {
        if (setting.key() != ApplicationKey.CLIENT_AUTH) {
            return;
        }
        String problem = !isOn()
                ? "a certificate of the server: " + sources()
                : trust == null && setting.value() != ClientAuth.NONE
                        ? "the authorities of clients' certificates: " + Key.TLS_TRUST.id()
                        : "";
        if (!problem.isEmpty()) {
            throw new ConfigurationException(setting.id() + " needs " + problem + " (from " + setting.origin() + ")");
        }
    }

    private static void requireNoOther(Configuration given) {
        for (Key key : List.of(Key.TLS_CERT, Key.TLS_KEY, Key.TLS_KEYSTORE)) {
            if (!given.isNone(key)) {
                throw new BadValueException(
                        Key.ACME, "gets the certificate from an authority, but " + key.id() + " is set, too");
            }
        }
    }

    /** The names of the keys that configure the server's certificate, for messages. A server needs only one of these keys. */
    static String sources() {
        return Key.TLS_CERT.id() + ", " + Key.TLS_KEYSTORE.id() + ", " + Key.ACME.id() + " or "
                + Key.TLS_SELF_SIGNED.id();
    }

    /** The values between the commas. Blanks do not separate values, because file names can contain blanks. */
    private static List<String> parts(Key key, Configuration given) {
        List<String> parts = given.parts(key);
        if (parts.contains("")) {
            throw new BadValueException(key, "has an empty item before, between or behind commas");
        }
        return parts;
    }

    private static List<Path> files(Key key, Configuration given) {
        return given.isNone(key)
                ? List.of()
                : parts(key, given).stream()
                        .map(name -> Configuration.path(key, name))
                        .toList();
    }

    private static Protocol protocol(String id) {
        for (Protocol protocol : Protocol.values()) {
            if (protocol.id.equals(id)) {
                return protocol;
            }
        }
        throw new BadValueException(
                Key.TLS_PROTOCOLS,
                "can have " + Protocol.TLS_1_3.id + " and " + Protocol.TLS_1_2.id + ", not '" + id
                        + "'; older versions are not safe");
    }

    /** Whether the server uses TLS. */
    public boolean isOn() {
        return !certificates.isEmpty() || keystore != null || selfSigned == Switch.ON || ofProgram == Switch.ON;
    }

    /** The key that names a file; null if no key does. The text may go on behind the name, with the entry of a key store. */
    public @Nullable Key keyOf(String file) {
        Map<Key, List<Path>> files = new EnumMap<>(Key.class);
        files.put(Key.TLS_CERT, certificates);
        files.put(Key.TLS_KEY, keys);
        files.put(Key.TLS_KEYSTORE, keystore == null ? List.of() : List.of(keystore));
        files.put(Key.TLS_KEY_PASSWORD_FILE, keyPasswordFile == null ? List.of() : List.of(keyPasswordFile));
        files.put(Key.TLS_TRUST, trust == null ? List.of() : List.of(trust));
        for (Map.Entry<Key, List<Path>> entry : files.entrySet()) {
            if (entry.getValue().stream()
                    .anyMatch(named -> file.equals(named.toString()) || file.startsWith(named + " ("))) {
                return entry.getKey();
            }
        }
        return null;
    }

    /** Omits the passwords. */
    @Override
    public String toString() {
        return "Tls[certificates=" + certificates + ", keys=" + keys + ", keystore=" + keystore + ", selfSigned="
                + selfSigned + ", ofProgram=" + ofProgram + ", clientAuth=" + clientAuth + ", clientAuthOfHosts="
                + clientAuthOfHosts + ", trust="
                + trust + ", protocols=" + protocols
                + ", ciphers=" + ciphers + ", provider=" + provider + ", ocspStapling=" + ocspStapling
                + ", reloadInterval=" + reloadInterval + "]";
    }

    /** Whether clients are asked for certificates. */
    public enum ClientAuth {
        NONE,
        /** A client is asked for a certificate, but can connect without a certificate. */
        WANT,
        /** A client is asked for a certificate, and is refused without a certificate. */
        NEED
    }

    /** Limits on the memory and the threads of all TLS connections together. {@link Key} explains the values. */
    public record TlsLimits(int threads, int tasks, long budget) {
        static TlsLimits of(Configuration given) {
            return new TlsLimits(
                    given.number(Key.TLS_THREADS), given.number(Key.TLS_TASKS), given.bytes(Key.TLS_BUDGET));
        }
    }
}
