package io.penstock.address;

import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts host names to a canonical form, so that they can be compared. The canonical form is in lower case, and has no port and no dot at
 * the end. An IP address has only one canonical form. Percent-encoded characters and punycode are not decoded. There is no DNS lookup.
 *
 * <p>Thread: any.
 */
public final class HostName {
    /** The maximum length of a name (RFC 1035 section 2.3.4). */
    public static final int LONGEST = 253;

    /** The prefix of a wildcard name. It stands for one or more labels. */
    public static final String WILDCARD = "*.";

    private static final String LABEL = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?";
    private static final Pattern NAME = Pattern.compile("(" + LABEL + "\\.)*" + LABEL);

    /** Matches a name whose last label is a number. A name of this form is either an IPv4 address or invalid. */
    private static final Pattern NUMBER_AT_END = Pattern.compile("(.*\\.)?[0-9]+");

    private HostName() {}

    /**
     * The canonical form of a host.
     *
     * @param host the host, without a port; an IPv6 address is in brackets
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
     * Parses a host from the configuration: a name, a wildcard such as {@code *.example.org}, or an address.
     *
     * @return the canonical form; null if the text is not a valid host
     */
    public static @Nullable String read(String text) {
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

    /** Parses an address in brackets; null if the text is no address. */
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
