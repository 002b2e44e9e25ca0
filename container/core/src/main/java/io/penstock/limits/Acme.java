package io.penstock.limits;

import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings for getting the server's certificate from an authority by ACME (RFC 8555). {@link Key} explains the values.
 *
 * @param names the hosts of the certificate, in lower case and in ASCII; empty if the server does not use ACME
 * @param email the operator's address for mail from the authority; null for none
 * @param binding the operator's account with the authority, to which the ACME account is linked; null for none
 */
public record Acme(
        List<String> names,
        URI directory,
        @Nullable String email,
        Path folder,
        List<String> challenges,
        @Nullable Binding binding) {
    private static final String HTTP_01 = "http-01";
    private static final String TLS_ALPN_01 = "tls-alpn-01";
    private static final String CERTIFICATE = "certificate.pem";
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    private static final Pattern HOST = Pattern.compile("(?=.{1,253}$)(" + LABEL + "\\.)*" + LABEL);
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");
    private static final Pattern EMAIL = Pattern.compile("[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+");
    private static final int MIN_BINDING_KEY = 32;

    /**
     * Links the ACME account to an account that the operator already has with the authority: external account binding (RFC 8555 section
     * 7.3.4).
     *
     * @param id the id of the operator's account
     * @param key the key of the operator's account, in base64url
     */
    public record Binding(String id, String key) {
        /** Omits the key. */
        @Override
        public String toString() {
            return "Binding[id=" + id + "]";
        }
    }

    /** The configured way to prove that the server controls the hosts. */
    enum Challenge {
        AUTO,
        HTTP_01,
        TLS_ALPN_01
    }

    public Acme {
        names = List.copyOf(names);
        challenges = List.copyOf(challenges);
    }

    static Acme of(Configuration given) {
        List<String> names = names(given);
        if (names.isEmpty()) {
            requireNoOther(given);
        }
        URI directory = directory(given.text(Key.ACME_DIRECTORY));
        return new Acme(
                names,
                directory,
                email(given),
                folder(given).resolve(folderName(directory)),
                names.isEmpty() ? List.of() : challenges(given),
                binding(given));
    }

    private static void requireNoOther(Configuration given) {
        for (Key key : List.of(Key.ACME_EMAIL, Key.ACME_EAB_KID, Key.ACME_EAB_KEY)) {
            if (!given.isNone(key)) {
                throw new BadValueException(key, "needs the hosts of the certificate: " + Key.ACME.id());
            }
        }
    }

    /** Whether the server gets its certificate by ACME. */
    public boolean isOn() {
        return !names.isEmpty();
    }

    /** The file with the certificate, its chain and its key. The file exists after the authority has issued the certificate. */
    public Path certificate() {
        return folder.resolve(CERTIFICATE);
    }

    private static List<String> names(Configuration given) {
        return given.isNone(Key.ACME)
                ? List.of()
                : given.parts(Key.ACME).stream().map(Acme::name).distinct().toList();
    }

    private static String name(String given) {
        if (given.startsWith("*.")) {
            throw new BadValueException(
                    Key.ACME,
                    "cannot have wildcards, which need a proof by DNS: get a certificate for '" + given
                            + "' with another program, and set " + Key.TLS_CERT.id());
        }
        if (ADDRESS.matcher(given).matches()) {
            throw new BadValueException(Key.ACME, "can have names of hosts, not addresses such as '" + given + "'");
        }
        String name;
        try {
            name = IDN.toASCII(given).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            throw new BadValueException(Key.ACME, "has a name that is not valid for a host: '" + given + "'", e);
        }
        if (!HOST.matcher(name).matches()) {
            throw new BadValueException(Key.ACME, "has a name that is not valid for a host: '" + given + "'");
        }
        return name;
    }

    /** Parses the URL of the directory. RFC 8555 section 6.1 requires HTTPS. HTTP is allowed only on this machine, for tests. */
    private static URI directory(String text) {
        try {
            URI uri = new URI(text);
            String host = uri.getHost();
            if (host != null
                    && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()) && LOOPBACK.contains(host))) {
                return uri;
            }
        } catch (URISyntaxException e) {
            throw new BadValueException(Key.ACME_DIRECTORY, "is not a URL: " + e.getMessage(), e);
        }
        throw new BadValueException(
                Key.ACME_DIRECTORY, "must be a URL that begins with https:// and has a host, not '" + text + "'");
    }

    /**
     * The name of the authority's folder. Each authority has its own folder, so that a test certificate is never used in place of a real
     * certificate.
     */
    private static String folderName(URI directory) {
        return (directory.getRawAuthority() + directory.getRawPath()).replaceAll("[^A-Za-z0-9.]+", "-");
    }

    private static @Nullable String email(Configuration given) {
        if (given.isNone(Key.ACME_EMAIL)) {
            return null;
        }
        String text = given.text(Key.ACME_EMAIL);
        if (!EMAIL.matcher(text).matches()) {
            throw new BadValueException(Key.ACME_EMAIL, "must be one address, such as admin@example.org");
        }
        return text;
    }

    private static Path folder(Configuration given) {
        return given.file(Key.ACME_DIR, "private", Path.of(System.getProperty("user.home"), ".penstock", "acme"));
    }

    private static List<String> challenges(Configuration given) {
        boolean redirects = !given.text(Key.REDIRECT_PORT).equals("off");
        Challenge wanted = given.choice(Key.ACME_CHALLENGE);
        if (wanted == Challenge.HTTP_01 && !redirects) {
            throw new BadValueException(
                    Key.ACME_CHALLENGE,
                    HTTP_01 + " needs a port without TLS, at which the authority asks: " + Key.REDIRECT_PORT.id());
        }
        return switch (wanted) {
            case AUTO -> redirects ? List.of(HTTP_01, TLS_ALPN_01) : List.of(TLS_ALPN_01);
            case HTTP_01 -> List.of(HTTP_01);
            case TLS_ALPN_01 -> List.of(TLS_ALPN_01);
        };
    }

    private static @Nullable Binding binding(Configuration given) {
        if (given.isNone(Key.ACME_EAB_KID) != given.isNone(Key.ACME_EAB_KEY)) {
            Key missing = given.isNone(Key.ACME_EAB_KID) ? Key.ACME_EAB_KID : Key.ACME_EAB_KEY;
            throw new BadValueException(
                    missing == Key.ACME_EAB_KID ? Key.ACME_EAB_KEY : Key.ACME_EAB_KID,
                    "needs " + missing.id() + ", too");
        }
        if (given.isNone(Key.ACME_EAB_KID)) {
            return null;
        }
        String id = given.text(Key.ACME_EAB_KID);
        String key = given.text(Key.ACME_EAB_KEY);
        try {
            if (Base64.getUrlDecoder().decode(key).length >= MIN_BINDING_KEY) {
                return new Binding(id, key);
            }
        } catch (IllegalArgumentException e) {
            throw new BadValueException(Key.ACME_EAB_KEY, "is not base64url, the form in which authorities give it", e);
        }
        throw new BadValueException(Key.ACME_EAB_KEY, "is too short: it must have " + MIN_BINDING_KEY + " bytes");
    }
}
