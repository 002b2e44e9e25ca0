package io.penstock.limits;

import java.util.regex.Pattern;

/**
 * What a server with certificates does for clients beside TLS itself.
 *
 * @param redirectPort TCP port without TLS that redirects to HTTPS; 0 takes a free port; {@link #OFF} for none
 * @param publicPort of HTTPS in redirects; 0 is the port that is listened on
 */
public record Https(int redirectPort, int publicPort) {
    public static final int OFF = -1;

    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

    public Https {
        Check.atMost(Key.REDIRECT_PORT, redirectPort, 65535);
        Check.atLeast(Key.REDIRECT_TO_PORT, publicPort, 0);
        Check.atMost(Key.REDIRECT_TO_PORT, publicPort, 65535);
        if (redirectPort == OFF && publicPort != 0) {
            throw new BadValueException(Key.REDIRECT_TO_PORT, "needs a " + Key.REDIRECT_PORT.id());
        }
    }

    static Https of(Configuration given, Listen listen, Tls tls) {
        Https https = new Https(port(given.text(Key.REDIRECT_PORT)), given.number(Key.REDIRECT_TO_PORT));
        if (https.redirectPort == OFF) {
            return https;
        }
        if (!tls.isOn()) {
            throw new BadValueException(
                    Key.REDIRECT_PORT,
                    "redirects to HTTPS, so it needs a certificate: " + Key.TLS_CERT.id() + ", " + Key.TLS_KEYSTORE.id()
                            + " or " + Key.TLS_SELF_SIGNED.id());
        }
        if (https.redirectPort != 0 && https.redirectPort == listen.port()) {
            throw new BadValueException(
                    Key.REDIRECT_PORT,
                    "must not be " + Key.PORT.id() + ", which speaks HTTPS: both are " + https.redirectPort);
        }
        return https;
    }

    private static int port(String text) {
        if (text.equals("off")) {
            return OFF;
        }
        if (!PORT.matcher(text).matches()) {
            throw new BadValueException(Key.REDIRECT_PORT, "must be a port or off, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }
}
