package io.penstock.admin;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * By which names of the host it may be asked. A page of anywhere can make a browser on this machine ask for its own name, and have that
 * name lead to this machine (DNS rebinding); so where only this machine itself may ask, only its own names are right.
 *
 * @param reach who may ask
 * @param configured the name that the operator has given the host
 */
record HostRule(Reach reach, String configured) {
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    /** From where the port can be reached. */
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
                || asked.indexOf(':') >= 0; // an address of IPv6: no name has a colon
    }
}
