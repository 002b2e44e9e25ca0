package io.penstock.http2;

/**
 * Encodes field blocks (RFC 7541) without a dynamic table. So a block can be made again, or dropped, until it is sent, and blocks of
 * several streams can be sent in any order. Texts are sent as they are: a Huffman code would save a fifth of the octets of a usual head, and
 * cost more time than all other parts of a small response.
 *
 * <p>Thread: any.
 */
final class HpackEncoder {
    private static final int MAX_INTEGER = 5; // the most octets of an integer up to 2^28

    private static final int STATUS_200 = 8;
    private static final int SET_COOKIE = StaticTable.indexOf("set-cookie");

    private HpackEncoder() {}

    /** The most octets that {@link #field} needs. */
    static int maxField(String name, String value) {
        return 1 + 2 * MAX_INTEGER + name.length() + value.length();
    }

    /**
     * Announces the size of the dynamic table. A peer that lowers its SETTINGS_HEADER_TABLE_SIZE expects this at the beginning of the next
     * block (section 4.2).
     */
    static int tableSize(int size, byte[] out, int at) {
        return integer(0x20, 5, size, out, at);
    }

    static int status(int status, byte[] out, int at) {
        int index =
                switch (status) {
                    case 200 -> STATUS_200;
                    case 204 -> 9;
                    case 206 -> 10;
                    case 304 -> 11;
                    case 400 -> 12;
                    case 404 -> 13;
                    case 500 -> 14;
                    default -> 0;
                };
        if (index > 0) {
            out[at] = (byte) (0x80 | index);
            return at + 1;
        }
        out[at] = STATUS_200; // its name, with another value
        return text(Integer.toString(status), out, at + 1);
    }

    /**
     * Adds a field. The name is sent in lower case. Each char of the value is one octet. A cookie is marked, so that no proxy on the way
     * puts it into a table (section 7.1.3).
     */
    static int field(String name, String value, byte[] out, int at) {
        int index = StaticTable.indexOf(name);
        int first = index == SET_COOKIE ? 0x10 : 0;
        int next = integer(first, 4, index, out, at);
        if (index == 0) {
            next = name(name, out, next);
        }
        return text(value, out, next);
    }

    private static int name(String name, byte[] out, int at) {
        int next = integer(0, 7, name.length(), out, at);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            out[next++] = (byte) (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
        }
        return next;
    }

    private static int text(String text, byte[] out, int at) {
        int next = integer(0, 7, text.length(), out, at);
        for (int i = 0; i < text.length(); i++) {
            out[next++] = (byte) text.charAt(i);
        }
        return next;
    }

    /** Adds an integer behind the first bits of an octet (section 5.1). */
    private static int integer(int firstBits, int prefix, int value, byte[] out, int at) {
        int most = (1 << prefix) - 1;
        int next = at;
        if (value < most) {
            out[next++] = (byte) (firstBits | value);
            return next;
        }
        out[next++] = (byte) (firstBits | most);
        int rest = value - most;
        for (; rest >= 0x80; rest >>>= 7) {
            out[next++] = (byte) (rest & 0x7F | 0x80);
        }
        out[next++] = (byte) rest;
        return next;
    }
}
