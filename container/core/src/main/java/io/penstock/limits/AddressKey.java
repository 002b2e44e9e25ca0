package io.penstock.limits;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** The client of an address, as limits count it: the whole of an IPv4 address, or the first 64 bits of an IPv6 address. */
public final class AddressKey {
    /** The bits before the 32 bits of an IPv4 address. An IPv6 address with these bits is a multicast address, which sends nothing. */
    private static final long IPV4 = 0xFFFF_FFFFL << Integer.SIZE;

    private AddressKey() {}

    /** For IPv6 the first 64 bits count: a client with one of these addresses usually has all of them. */
    public static Long of(InetAddress client) {
        ByteBuffer bytes = ByteBuffer.wrap(client.getAddress());
        return bytes.remaining() == Integer.BYTES ? IPV4 | Integer.toUnsignedLong(bytes.getInt()) : bytes.getLong();
    }
}
