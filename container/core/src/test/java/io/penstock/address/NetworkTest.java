package io.penstock.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parsing of addresses and networks. */
class NetworkTest {

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 00000000",
        "192.0.2.255, c00002ff",
        "::, 00000000000000000000000000000000",
        "::1, 00000000000000000000000000000001",
        "1::, 00010000000000000000000000000000",
        "2001:DB8::a:0, 20010db80000000000000000000a0000",
        "1:2:3:4:5:6:7:8, 00010002000300040005000600070008",
        "1:2:3:4:5:6:7::, 00010002000300040005000600070000",
        "::2:3:4:5:6:7:8, 00000002000300040005000600070008",
        "64:ff9b::192.0.2.33, 0064ff9b0000000000000000c0000221",
        "1:2:3:4:5:6:192.0.2.33, 000100020003000400050006c0000221",
        "::ffff:192.0.2.33, c0000221",
        "::FFFF:c000:221, c0000221"
    })
    void validAddressesAreParsed(String text, String octets) {
        InetAddress read = IpLiteral.read(text);
        assertNotNull(read);
        byte[] expected = new BigInteger("1" + octets, 16).toByteArray();
        assertEquals(
                Arrays.toString(Arrays.copyOfRange(expected, 1, expected.length)), Arrays.toString(read.getAddress()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.",
                ".1.2.3",
                "1..2.3",
                "256.1.1.1",
                "01.1.1.1",
                "1.1.1.1 ",
                "1.1.1.+1",
                "1.1.1.1/8",
                "0x1.1.1.1",
                "localhost",
                "example.org",
                ":",
                ":::",
                "1:",
                ":1",
                "1:2",
                "1::2::3",
                "::1::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "12345::",
                "g::",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1.2.3.4::",
                "::1.2.3",
                "::1.2.3.4:5",
                "[::1]",
                "fe80::1%eth0",
                "::1%1",
                "١.1.1.1",
                "1:2:3:4:5:6:7:",
                "::ffff:1.2.3.4.",
                "1:::2"
            })
    void invalidAddressesAreRefused(String text) {
        assertNull(IpLiteral.read(text));
    }

    /**
     * The JDK writes random addresses as text. The test then shortens zeros in the text to two colons. Each form of the text must be parsed
     * to the same address.
     */
    @Test
    void addressesFormattedByTheJdkAreParsedToTheSameAddress() throws UnknownHostException {
        Random random = new Random(19);
        for (int i = 0; i < 20_000; i++) {
            byte[] octets = new byte[random.nextBoolean() ? 4 : 16];
            for (int j = 0; j < octets.length; j++) {
                octets[j] = (byte) (random.nextInt(3) == 0 ? random.nextInt(256) : 0);
            }
            InetAddress address = InetAddress.getByAddress(octets);
            String text = address.getHostAddress();
            assertEquals(address, IpLiteral.read(text), text);
            for (int from = text.indexOf(":0"); from >= 0; from = text.indexOf(":0", from + 1)) {
                String tail = text.substring(from + 2);
                if (tail.isEmpty() || tail.startsWith(":")) {
                    String elided = text.substring(0, from) + ":" + (tail.isEmpty() ? ":" : tail);
                    assertEquals(address, IpLiteral.read(elided), elided);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, 11.0.0.1",
        "10.0.0.0/8, 10.0.0.0, ::ffff:11.0.0.0",
        "192.0.2.128/25, 192.0.2.200, 192.0.2.127",
        "192.0.2.1, 192.0.2.1, 192.0.2.0",
        "192.0.2.1/32, 192.0.2.1, 192.0.2.3",
        "0.0.0.0/0, 255.255.255.255, ::1",
        "::/0, ::1, 1.2.3.4",
        "::1, ::1, ::2",
        "2001:db8::/33, 2001:db8:7fff::, 2001:db8:8000::",
        "::ffff:10.0.0.0/104, 10.1.2.3, 11.1.2.3",
        "::ffff:0:0/96, 10.1.2.3, ::1",
        "::ffff:10.0.0.1, 10.0.0.1, 10.0.0.2"
    })
    void aNetworkContainsOnlyAddressesWithItsPrefix(String network, String inside, String outside) {
        assertTrue(Network.parse(network).contains(address(inside)));
        assertFalse(Network.parse(network).contains(address(outside)));
    }

    @Test
    void randomNetworksContainOnlyAddressesWithTheirPrefix() {
        Random random = new Random(20);
        for (int i = 0; i < 20_000; i++) {
            byte[] octets = new byte[random.nextBoolean() ? 4 : 16];
            random.nextBytes(octets);
            octets[0] = 1; // prevents IPv4-mapped addresses
            int bits = random.nextInt(octets.length * 8 + 1);
            byte[] base = octets.clone();
            for (int bit = bits; bit < octets.length * 8; bit++) {
                base[bit / 8] &= (byte) ~(0x80 >> bit % 8);
            }
            Network network = Network.parse(IpLiteral.address(base).getHostAddress() + "/" + bits);
            assertTrue(network.contains(IpLiteral.address(octets)), network.toString());
            if (bits > 0) {
                int other = random.nextInt(bits);
                octets[other / 8] ^= (byte) (0x80 >> other % 8);
                assertFalse(network.contains(IpLiteral.address(octets)), network.toString());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1/8",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/",
                "10.0.0.0/8/8",
                "10.0.0.0/ 8",
                "2001:db8::1/32",
                "::/129",
                "::ffff:10.0.0.0/95",
                "example.org",
                "10/8",
                "/8",
                "10.0.0.0/0008"
            })
    void invalidNetworksAreRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Network.parse(text));
    }

    private static InetAddress address(String text) {
        InetAddress address = IpLiteral.read(text);
        assertNotNull(address);
        return address;
    }
}
