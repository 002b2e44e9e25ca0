package io.penstock.limits;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** The client to which an address belongs, as limits count it: all of an IPv4 address, the first 64 bits of one of IPv6. */
public final class AddressKey {
    /** Before the 32 bits of an IPv4 address: as the first 64 bits of an IPv6 address these would be a group's, which sends nothing. */
    private static final long IPV4 = 0xFFFF_FFFFL << Integer.SIZE;

    private AddressKey() {}

    /** Of IPv6 the first 64 bits: a client with one of these addresses usually has all of them. */
    public static Long of(InetAddress client) {
        ByteBuffer bytes = ByteBuffer.wrap(client.getAddress());
        return bytes.remaining() == Integer.BYTES ? IPV4 | Integer.toUnsignedLong(bytes.getInt()) : bytes.getLong();
    }
}
