package io.penstock.address;

import java.net.InetAddress;
import java.util.List;

/**
 * A network: the addresses with a common prefix (RFC 4632 section 3.1, RFC 4291 section 2.3), or one address.
 *
 * <p>Thread: any. Immutable.
 */
public final class Network {
    private static final int BYTE = 8;

    /** The number of leading bits that an IPv4-mapped IPv6 address has before the IPv4 address. */
    private static final int MAPPED = 96;

    private final byte[] base;
    private final int bits;

    private Network(byte[] base, int bits) {
        this.base = base;
        this.bits = bits;
    }

    /**
     * Reads {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or a single address.
     *
     * @throws IllegalArgumentException if the text is no network; the message describes the problem
     */
    public static Network parse(String text) {
        int slash = text.indexOf('/');
        String literal = slash < 0 ? text : text.substring(0, slash);
        InetAddress address = IpLiteral.read(literal);
        if (address == null) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither an address nor a network such as 10.0.0.0/8 or 2001:db8::/32");
        }
        byte[] base = address.getAddress();
        boolean mapped = literal.indexOf(':') >= 0 && base.length * BYTE < MAPPED;
        int least = mapped ? MAPPED : 0;
        int most = least + base.length * BYTE;
        int bits = slash < 0 ? most : bits(text.substring(slash + 1));
        if (bits < least || bits > most) {
            throw new IllegalArgumentException("'" + text + "' must have " + least + " to " + most + " bits");
        }
        Network network = new Network(base, bits - least);
        if (!network.isBase()) {
            throw new IllegalArgumentException("'" + text + "' has bits set behind its prefix");
        }
        return network;
    }

    /** Whether one of the networks contains this address. */
    public static boolean anyHas(List<Network> networks, InetAddress address) {
        for (int i = 0; i < networks.size(); i++) {
            if (networks.get(i).contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** Reads the number of bits; -1 if the text is no number. */
    private static int bits(String digits) {
        boolean proper =
                !digits.isEmpty() && digits.length() <= 3 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return proper ? Integer.parseInt(digits) : -1;
    }

    /**
     * Whether all bits behind the prefix are zero. If one of these bits is set, the operator probably meant a smaller network or another
     * network.
     */
    private boolean isBase() {
        for (int i = bits; i < base.length * BYTE; i++) {
            if ((base[i / BYTE] & 0x80 >> i % BYTE) != 0) {
                return false;
            }
        }
        return true;
    }

    public boolean contains(InetAddress address) {
        byte[] octets = address.getAddress();
        if (octets.length != base.length) {
            return false;
        }
        int whole = bits / BYTE;
        for (int i = 0; i < whole; i++) {
            if (octets[i] != base[i]) {
                return false;
            }
        }
        int left = bits % BYTE;
        return left == 0 || (octets[whole] ^ base[whole]) >> BYTE - left == 0;
    }

    @Override
    public String toString() {
        String text = IpLiteral.address(base).getHostAddress();
        return bits == base.length * BYTE ? text : text + "/" + bits;
    }
}
