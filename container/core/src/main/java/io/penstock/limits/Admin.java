package io.penstock.limits;

import java.util.regex.Pattern;

/**
 * The settings of the admin port, which serves the flow board (a live view of the server), health and metrics. {@link Key} explains the
 * values.
 *
 * @param port the TCP port; 0 for any free port; {@link #OFF} for no admin port
 * @param token the token that requests need, or {@link #NO_TOKEN}
 */
public record Admin(int port, String host, Switch tls, String token, int listeners, Measuring measuring) {
    public static final int OFF = -1;
    public static final String NO_TOKEN = "none";

    private static final int MIN_TOKEN = 16;
    private static final Pattern TOKEN = Pattern.compile("[!-~]{" + MIN_TOKEN + ",}");

    /** Whether each request is measured. */
    public enum Measuring {
        ON,
        OFF,
        /** Requests are measured if there is an admin port. */
        AUTO
    }

    public Admin {
        if (!token.equals(NO_TOKEN) && !TOKEN.matcher(token).matches()) {
            throw new BadValueException(
                    Key.ADMIN_TOKEN, "must have at least " + MIN_TOKEN + " characters, only visible ASCII characters");
        }
    }

    static Admin of(Configuration given, Tls certificates) {
        Switch tls = given.choice(Key.ADMIN_TLS);
        if (tls == Switch.ON && certificates.ofProgram() == Switch.ON) {
            throw new BadValueException(Key.ADMIN_TLS, "needs certificates in files");
        }
        if (tls == Switch.ON && !certificates.isOn()) {
            throw new BadValueException(Key.ADMIN_TLS, "needs a certificate of the server: " + Tls.sources());
        }
        return new Admin(
                given.portOrOff(Key.ADMIN_PORT),
                given.text(Key.ADMIN_HOST),
                tls,
                given.text(Key.ADMIN_TOKEN),
                given.number(Key.ADMIN_LISTENERS),
                given.choice(Key.REQUEST_METRICS));
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
