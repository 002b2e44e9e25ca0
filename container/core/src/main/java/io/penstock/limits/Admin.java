package io.penstock.limits;

import java.util.regex.Pattern;

/**
 * The settings of the admin port, which serves the flow board (a live view of the server), health and metrics.
 *
 * @param port the TCP port; 0 for any free port; {@link #OFF} for no admin port
 * @param host the name or address to which the port is bound
 * @param tls whether the port uses TLS, with the server's certificates
 * @param token the token that requests need, or {@link #NO_TOKEN}
 * @param listeners the most pages that may show the flow board at one time
 * @param measuring whether requests are measured, for metrics, the flow board and JMX
 */
public record Admin(int port, String host, Switch tls, String token, int listeners, Measuring measuring) {
    public static final int OFF = -1;
    public static final String NO_TOKEN = "none";

    private static final int MIN_TOKEN = 16;
    private static final Pattern TOKEN = Pattern.compile("[!-~]{" + MIN_TOKEN + ",}");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

    /** Whether each request is measured. */
    public enum Measuring {
        ON,
        OFF,
        /** Requests are measured if there is an admin port. */
        AUTO
    }

    public Admin {
        Check.atMost(Key.ADMIN_PORT, port, 65535);
        Check.notBlank(Key.ADMIN_HOST, host);
        Check.atLeast(Key.ADMIN_LISTENERS, listeners, 0);
        if (!token.equals(NO_TOKEN) && !TOKEN.matcher(token).matches()) {
            throw new BadValueException(
                    Key.ADMIN_TOKEN, "must have at least " + MIN_TOKEN + " characters, only visible ASCII characters");
        }
    }

    public static Admin defaults() {
        return of(Configuration.defaults(), Tls.defaults());
    }

    static Admin of(Configuration given, Tls certificates) {
        Switch tls = Check.choice(Key.ADMIN_TLS, given.text(Key.ADMIN_TLS), Switch.class);
        if (tls == Switch.ON && certificates.ofProgram() == Switch.ON) {
            throw new BadValueException(Key.ADMIN_TLS, "needs certificates in files");
        }
        if (tls == Switch.ON && !certificates.isOn()) {
            throw new BadValueException(Key.ADMIN_TLS, "needs a certificate of the server: " + Tls.sources());
        }
        return new Admin(
                port(given.text(Key.ADMIN_PORT)),
                given.text(Key.ADMIN_HOST),
                tls,
                given.text(Key.ADMIN_TOKEN),
                given.number(Key.ADMIN_LISTENERS),
                Check.choice(Key.REQUEST_METRICS, given.text(Key.REQUEST_METRICS), Measuring.class));
    }

    private static int port(String text) {
        if (text.equals("off")) {
            return OFF;
        }
        if (!PORT.matcher(text).matches()) {
            throw new BadValueException(Key.ADMIN_PORT, "must be a port or off, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    public boolean isOn() {
        return port != OFF;
    }

    public boolean asksForToken() {
        return !token.equals(NO_TOKEN);
    }

    public boolean measuresRequests() {
        return measuring == Measuring.ON || (measuring == Measuring.AUTO && isOn());
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "Admin[port=" + port + ", host=" + host + ", tls=" + tls + ", listeners=" + listeners + ", measuring="
                + measuring + "]";
    }
}
