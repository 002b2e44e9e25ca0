package io.penstock.admin;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The host names that requests to the admin port may use. If only this machine can reach the port, the rule allows only IP addresses,
 * {@code localhost} and the configured name. This prevents DNS rebinding. In such an attack, the host name of a malicious page resolves to
 * this machine. A browser on this machine then sends requests of the page to the admin port.
 *
 * @param reach the machines that can reach the admin port
 * @param configured the host name that the operator has configured
 */
record HostRule(Reach reach, String configured) {
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    /** The machines that can reach the admin port. */
    enum Reach {
        THIS_MACHINE,
        OTHERS_TOO
    }

    /** @param name the host name of the request, without the port */
    boolean allows(String name) {
        String asked = name.toLowerCase(Locale.ROOT);
        return reach == Reach.OTHERS_TOO
                || asked.equals("localhost")
                || asked.endsWith(".localhost")
                || asked.equals(configured.toLowerCase(Locale.ROOT))
                || IPV4.matcher(asked).matches()
                || asked.indexOf(':') >= 0; // a colon occurs only in IPv6 addresses
    }
}
