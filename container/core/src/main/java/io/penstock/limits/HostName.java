package io.penstock.limits;

import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts host names to a canonical form, in which they are compared: in lower case, without a port, without the dot at the end of a
 * complete name. An address gets one of its spellings. Nothing is decoded, and no name server is asked.
 *
 * <p>Thread: any.
 */
public final class HostName {
    /** The maximum length of a name (RFC 1035 section 2.3.4). */
    static final int LONGEST = 253;

    /** The beginning of a wildcard name; it stands for one label or more. */
    static final String WILDCARD = "*.";

    private static final String LABEL = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?";
    private static final Pattern NAME = Pattern.compile("(" + LABEL + "\\.)*" + LABEL);

    /** If the last label is a number, the text is an IPv4 address or invalid. */
    private static final Pattern NUMBER_AT_END = Pattern.compile("(.*\\.)?[0-9]+");

    private HostName() {}

    /**
     * The canonical form of a host.
     *
     * @param host without a port; an IPv6 address has brackets
     */
    public static String canonical(String host) {
        if (host.startsWith("[")) {
            String address = address(host);
            return address == null ? host : address;
        }
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /**
     * Reads a host that an operator names: a name, a wildcard such as {@code *.example.org}, or an address.
     *
     * @return the canonical form; null if the text is none of these
     */
    static @Nullable String read(String text) {
        if (text.startsWith("[")) {
            return address(text);
        }
        String name = canonical(text);
        boolean wildcard = name.startsWith(WILDCARD);
        String rest = wildcard ? name.substring(WILDCARD.length()) : name;
        if (name.length() > LONGEST || !NAME.matcher(rest).matches()) {
            return null;
        }
        boolean numeric = NUMBER_AT_END.matcher(rest).matches();
        return numeric && (wildcard || IpLiteral.read(rest) == null) ? null : name;
    }

    /** Reads an address in brackets; null if the text is none. */
    private static @Nullable String address(String bracketed) {
        InetAddress address = bracketed.endsWith("]") && bracketed.indexOf(':') > 0
                ? IpLiteral.read(bracketed.substring(1, bracketed.length() - 1))
                : null;
        if (address == null) {
            return null;
        }
        String text = address.getHostAddress();
        // The result is an IPv4 address if the text was an IPv4-mapped IPv6 address.
        return text.indexOf(':') < 0 ? text : '[' + text + ']';
    }
}
