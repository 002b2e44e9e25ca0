package io.penstock.admin;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The host names that requests may use. A port that only this machine can reach accepts only IP addresses, {@code localhost} and the
 * configured name. This prevents DNS rebinding: a malicious page lets its own host name resolve to this machine, and a browser on this
 * machine sends requests there.
 *
 * @param reach the machines that can reach the port
 * @param configured the host name that the operator has configured
 */
record HostRule(Reach reach, String configured) {
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    /** The machines that can reach the port. */
    enum Reach {
        THIS_MACHINE,
        OTHERS_TOO
    }

    /** @param name of the request, without the port */
    boolean allows(String name) {
        String asked = name.toLowerCase(Locale.ROOT);
        return reach == Reach.OTHERS_TOO
                || asked.equals("localhost")
                || asked.endsWith(".localhost")
                || asked.equals(configured.toLowerCase(Locale.ROOT))
                || IPV4.matcher(asked).matches()
                || asked.indexOf(':') >= 0; // an IPv6 address: host names have no colon
    }
}
