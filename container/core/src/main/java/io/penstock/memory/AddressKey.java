package io.penstock.memory;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** The part of a client's address by which limits count clients: all bits of an IPv4 address, or the first 64 bits of an IPv6 address. */
public final class AddressKey {
    /**
     * The upper 32 bits of the key of an IPv4 address. An IPv6 address with these first bits is a multicast address, so no client has it.
     */
    private static final long IPV4 = 0xFFFF_FFFFL << Integer.SIZE;

    private AddressKey() {}

    /**
     * Returns the key of an address. For IPv6 only the first 64 bits count, because one client usually has all addresses that begin with
     * the same 64 bits.
     */
    public static Long of(InetAddress client) {
        ByteBuffer bytes = ByteBuffer.wrap(client.getAddress());
        return bytes.remaining() == Integer.BYTES ? IPV4 | Integer.toUnsignedLong(bytes.getInt()) : bytes.getLong();
    }
}
