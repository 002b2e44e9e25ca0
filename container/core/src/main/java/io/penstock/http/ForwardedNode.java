package io.penstock.http;

import io.penstock.address.IpLiteral;
import java.net.InetAddress;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A client or a proxy, as another proxy names it (RFC 7239 section 6).
 *
 * @param name an address in digits, the word {@code unknown}, or an identifier that begins with {@code _}. A proxy sends such an identifier
 *     in place of an address
 * @param address the address; null if the name is no address
 * @param port the port; 0 if it is not known
 */
public record ForwardedNode(String name, @Nullable InetAddress address, int port) {
    private static final String UNKNOWN_NAME = "unknown";
    private static final int LONGEST_NAME = 64;

    /** A node whose address the proxy does not give. */
    static final ForwardedNode UNKNOWN = new ForwardedNode(UNKNOWN_NAME, null, 0);

    /**
     * Reads a value of the parameter {@code for}.
     *
     * @throws Violation 400
     */
    static ForwardedNode read(String text) throws Violation {
        if (!text.startsWith("[")) {
            int colon = text.indexOf(':');
            String name = colon < 0 ? text : text.substring(0, colon);
            return named(name, IpLiteral.read(name), port(text, colon));
        }
        int end = text.indexOf(']');
        boolean whole = end > 0 && (end + 1 == text.length() || text.charAt(end + 1) == ':');
        String literal = whole ? text.substring(1, end) : "";
        InetAddress address = literal.indexOf(':') < 0 ? null : IpLiteral.read(literal);
        if (address == null) {
            throw improper();
        }
        return named(literal, address, port(text, end + 1 == text.length() ? -1 : end + 1));
    }

    /**
     * Reads an element of {@code X-Forwarded-For}. The syntax is that of {@link #read}, but an IPv6 address needs no brackets.
     *
     * @throws Violation 400
     */
    static ForwardedNode readPlain(String text) throws Violation {
        boolean bare = !text.startsWith("[") && text.indexOf(':') != text.lastIndexOf(':');
        if (!bare) {
            return read(text);
        }
        InetAddress address = IpLiteral.read(text);
        if (address == null) {
            throw improper();
        }
        return named(text, address, 0);
    }

    private static ForwardedNode named(String name, @Nullable InetAddress address, int port) throws Violation {
        if (address != null) {
            return new ForwardedNode(address.getHostAddress(), address, port);
        }
        if (name.equalsIgnoreCase(UNKNOWN_NAME)) {
            return new ForwardedNode(UNKNOWN_NAME, null, port);
        }
        if (!isObfuscated(name)) {
            throw improper();
        }
        return new ForwardedNode(name, null, port);
    }

    /** @param colon the position of the colon before the port; -1 if there is none */
    private static int port(String text, int colon) throws Violation {
        if (colon < 0) {
            return 0;
        }
        String port = text.substring(colon + 1);
        if (isObfuscated(port)) {
            return 0;
        }
        return portNumber(port);
    }

    /**
     * Reads a port from 1 to 65535.
     *
     * @throws Violation 400
     */
    static int portNumber(String text) throws Violation {
        int port = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9' || i > 4) {
                throw new Violation(400, "malformed port in a field of a proxy");
            }
            port = 10 * port + c - '0';
        }
        if (port == 0 || port > 65535) {
            throw new Violation(400, "malformed port in a field of a proxy");
        }
        return port;
    }

    /** Whether the text matches {@code "_" 1*( ALPHA / DIGIT / "." / "_" / "-" )}. */
    private static boolean isObfuscated(String text) {
        if (text.length() < 2 || text.length() > LONGEST_NAME || text.charAt(0) != '_') {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            boolean other = (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
            if (!letter && !other) {
                return false;
            }
        }
        return true;
    }

    /** Whether this node is a trusted proxy. If so, the server also uses what this node states about the request. */
    boolean isTrusted(Predicate<InetAddress> trusted) {
        return address != null && trusted.test(address);
    }

    private static Violation improper() {
        return new Violation(400, "malformed address in a field of a proxy");
    }
}
