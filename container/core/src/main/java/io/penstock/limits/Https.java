package io.penstock.limits;

import io.penstock.limits.ListenAddress.BindAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a server with certificates: the port that redirects to HTTPS, and HSTS. {@link Key} explains the values.
 *
 * @param redirectPort the TCP port without TLS that redirects to HTTPS; 0 lets the system choose a free port; {@link #OFF} for no such port
 * @param strictTransportSecurity the value of the field {@code Strict-Transport-Security} in each response over TLS (RFC 6797); null if the
 *     field is not sent
 */
public record Https(
        int redirectPort,
        String redirectHost,
        int publicPort,
        @Nullable String strictTransportSecurity) {
    public static final int OFF = -1;

    /** The default port of https URLs. */
    public static final int PORT = 443;

    private static final String ALL_ADDRESSES = "0.0.0.0";
    private static final Pattern HSTS = Pattern.compile("([0-9]{1,9})([dhms])(, *includeSubDomains)?(, *preload)?");
    private static final Duration PRELOADED = Duration.ofDays(365);

    public Https {
        if (redirectPort == OFF && publicPort != 0) {
            throw new BadValueException(Key.REDIRECT_TO_PORT, "needs a " + Key.REDIRECT_PORT.id());
        }
    }

    static Https of(Configuration given, Listen listen, Tls tls) {
        List<BindAddress> encrypted = listen.addresses().stream()
                .filter(address -> address.tls() == Switch.ON)
                .map(ListenAddress::bindAddress)
                .toList();
        Https https = new Https(
                given.portOrOff(Key.REDIRECT_PORT),
                redirectHost(encrypted),
                given.number(Key.REDIRECT_TO_PORT),
                strictTransportSecurity(given.text(Key.HSTS)));
        if (https.redirectPort != OFF) {
            requireTls(Key.REDIRECT_PORT, "redirects to HTTPS", tls);
            requireTarget(https, encrypted);
            https.requireFree(listen);
        }
        if (https.strictTransportSecurity != null) {
            requireTls(Key.HSTS, "is sent over HTTPS only", tls);
        }
        return https;
    }

    private static String redirectHost(List<BindAddress> encrypted) {
        return encrypted.stream()
                .filter(BindAddress.Network.class::isInstance)
                .map(address -> ((BindAddress.Network) address).host())
                .findFirst()
                .orElse(ALL_ADDRESSES);
    }

    private static void requireTarget(Https https, List<BindAddress> encrypted) {
        if (encrypted.isEmpty()) {
            throw new BadValueException(
                    Key.REDIRECT_PORT, "redirects to HTTPS, but no listener of " + Key.LISTEN.id() + " speaks HTTPS");
        }
        if (https.publicPort == 0 && encrypted.stream().allMatch(BindAddress.UnixSocket.class::isInstance)) {
            throw new BadValueException(
                    Key.REDIRECT_PORT,
                    "needs " + Key.REDIRECT_TO_PORT.id() + ", since no listener with TLS has a port of its own");
        }
    }

    private void requireFree(Listen listen) {
        for (ListenAddress address : listen.addresses()) {
            if (redirectPort > 0
                    && address.bindAddress() instanceof BindAddress.Network network
                    && network.port() == redirectPort
                    && network.host().equals(redirectHost)) {
                throw new BadValueException(
                        Key.REDIRECT_PORT,
                        "must not be the port of a listener: " + redirectPort + " is the port of " + address.url());
            }
        }
    }

    private static void requireTls(Key key, String what, Tls tls) {
        if (!tls.isOn()) {
            throw new BadValueException(key, what + ", so it needs a certificate: " + Tls.sources());
        }
    }

    /**
     * The value of the field {@code Strict-Transport-Security}: a time and optional directives. The directive {@code preload} is allowed
     * only if browsers would accept the host in their preload lists.
     */
    private static @Nullable String strictTransportSecurity(String text) {
        if (text.equals("off")) {
            return null;
        }
        Matcher parts = HSTS.matcher(text);
        if (!parts.matches()) {
            throw new BadValueException(
                    Key.HSTS,
                    "must be off, or a time, perhaps followed by includeSubDomains and preload, such as '365d,"
                            + " includeSubDomains', not '"
                            + text + "'");
        }
        Duration time = Duration.of(
                Long.parseLong(parts.group(1)),
                switch (parts.group(2)) {
                    case "d" -> ChronoUnit.DAYS;
                    case "h" -> ChronoUnit.HOURS;
                    case "m" -> ChronoUnit.MINUTES;
                    default -> ChronoUnit.SECONDS;
                });
        boolean subdomains = parts.group(3) != null;
        boolean preload = parts.group(4) != null;
        if (preload && (!subdomains || time.compareTo(PRELOADED) < 0)) {
            throw new BadValueException(Key.HSTS, "with preload needs includeSubDomains and at least 365d");
        }
        return "max-age=" + time.toSeconds() + (subdomains ? "; includeSubDomains" : "") + (preload ? "; preload" : "");
    }
}
