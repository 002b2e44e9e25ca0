package io.penstock.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.address.IpLiteral;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the reader for headers of the PROXY protocol (HAProxy's specification, sections 2.1 and 2.2). The headers arrive in one piece, in
 * two pieces, or byte by byte.
 */
class HeaderReaderTest {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
    private static final byte[] BYTES_AFTER = "GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);

    private final long seed = Long.getLong("penstock.proxies.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private static byte[] text(String line) {
        return (line + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] binary(String hex) {
        return HexFormat.of().parseHex(SIGNATURE + hex.replace(" ", ""));
    }

    private static byte[] with(byte[] header, byte[] behind) {
        byte[] both = Arrays.copyOf(header, header.length + behind.length);
        System.arraycopy(behind, 0, both, header.length, behind.length);
        return both;
    }

    private static String shown(ProxyHeader header) {
        assertNotNull(header);
        if (header.equals(ProxyHeader.UNKNOWN)) {
            return "unknown";
        }
        return header.source() == null ? "local" : shown(header.source()) + " " + shown(header.destination());
    }

    private static String shown(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + "#" + address.getPort();
    }

    /** Cuts the header at each position. The reader must find the header, and must not read the bytes after the header. */
    private static void assertRead(String expected, byte[] header) throws ProxyHeader.Malformed {
        byte[] all = with(header, BYTES_AFTER);
        for (int cut = 0; cut <= header.length; cut++) {
            HeaderReader reader = new HeaderReader();
            ByteBuffer first = ByteBuffer.wrap(all, 0, cut);
            ProxyHeader complete = reader.read(first);
            assertFalse(first.hasRemaining());
            if (cut < header.length) {
                assertNull(complete, "cut after " + cut + " bytes");
                assertEquals(cut > 0, reader.isInside());
                ByteBuffer rest = ByteBuffer.wrap(all, cut, all.length - cut);
                complete = reader.read(rest);
                assertEquals(BYTES_AFTER.length, rest.remaining(), "cut after " + cut + " bytes");
            }
            assertEquals(expected, shown(complete), "cut after " + cut + " bytes");
        }
        HeaderReader slow = new HeaderReader();
        for (int i = 0; i < header.length; i++) {
            ProxyHeader complete = slow.read(ByteBuffer.wrap(all, i, 1));
            assertEquals(i + 1 == header.length ? expected : "", complete == null ? "" : shown(complete));
        }
    }

    private static void assertMalformed(byte[] bytes) {
        assertThrows(ProxyHeader.Malformed.class, () -> new HeaderReader().read(ByteBuffer.wrap(bytes)));
        assertThrows(ProxyHeader.Malformed.class, () -> {
            HeaderReader slow = new HeaderReader();
            for (byte b : bytes) {
                slow.read(ByteBuffer.wrap(new byte[] {b}));
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443, 192.0.2.1#56324 198.51.100.1#443",
        "PROXY TCP4 255.255.255.255 0.0.0.0 65535 0, 255.255.255.255#65535 0.0.0.0#0",
        "PROXY TCP6 2001:db8::1 ::1 1 2, 2001:db8:0:0:0:0:0:1#1 0:0:0:0:0:0:0:1#2",
        "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535, "
                + "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff#65535 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff#65535",
        "PROXY TCP6 ::ffff:192.0.2.1 ::ffff:198.51.100.1 1 2, 192.0.2.1#1 198.51.100.1#2",
        "PROXY UNKNOWN, unknown",
        "PROXY UNKNOWN ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535,"
                + " unknown",
        "PROXY UNKNOWN whatever it says, unknown"
    })
    void headersOfVersion1AreRead(String line, String expected) throws ProxyHeader.Malformed {
        assertRead(expected, text(line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1",
                "proxy TCP4 192.0.2.1 198.51.100.1 1 2",
                "PROXY",
                "PROXY ",
                "PROXY  TCP4 192.0.2.1 198.51.100.1 1 2",
                "PROXYTCP4",
                "PROXY TCP4",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1 2 3",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1 2 ",
                "PROXY TCP4  192.0.2.1 198.51.100.1 1 2",
                "PROXY TCP4 192.0.2.1  198.51.100.1 1 2",
                "PROXY TCP4 192.0.2.256 198.51.100.1 1 2",
                "PROXY TCP4 192.0.2.01 198.51.100.1 1 2",
                "PROXY TCP4 192.0.2 198.51.100.1 1 2",
                "PROXY TCP4 host 198.51.100.1 1 2",
                "PROXY TCP4 2001:db8::1 ::1 1 2",
                "PROXY TCP6 192.0.2.1 198.51.100.1 1 2",
                "PROXY TCP6 [::1] [::1] 1 2",
                "PROXY TCP6 fe80::1%eth0 ::1 1 2",
                "PROXY TCP4 192.0.2.1 198.51.100.1 65536 2",
                "PROXY TCP4 192.0.2.1 198.51.100.1 01 2",
                "PROXY TCP4 192.0.2.1 198.51.100.1 -1 2",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1 x",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1 2\t",
                "PROXY TCP4 192.0.2.1 198.51.100.1 1 2\rx",
                "PROXY TCP4 192.0.2.1\n198.51.100.1 1 2",
                "PROXY UDP4 192.0.2.1 198.51.100.1 1 2",
                "PROXY UNKNOWNX",
                "PROXY unknown",
                " PROXY UNKNOWN"
            })
    void malformedHeadersOfVersion1AreRefused(String line) {
        assertMalformed(text(line));
    }

    @Test
    void aHeaderOfVersion1BeyondTheMaximumLengthIsRefused() throws ProxyHeader.Malformed {
        String longest = "PROXY UNKNOWN " + "x".repeat(HeaderReader.MAX_TEXT - "PROXY UNKNOWN \r\n".length());
        assertRead("unknown", text(longest));
        assertMalformed(text(longest + "x"));
    }

    @ParameterizedTest
    @CsvSource({
        "21 11 000c c0000201 c6336401 dc04 01bb, 192.0.2.1#56324 198.51.100.1#443",
        "21 11 0010 c0000201 c6336401 dc04 01bb 04000100, 192.0.2.1#56324 198.51.100.1#443",
        "21 21 0024 20010db8000000000000000000000001 00000000000000000000000000000001 0001 0002, "
                + "2001:db8:0:0:0:0:0:1#1 0:0:0:0:0:0:0:1#2",
        "21 21 0024 00000000000000000000ffffc0000201 00000000000000000000ffffc6336401 0001 0002, 192.0.2.1#1"
                + " 198.51.100.1#2",
        "20 00 0000, local",
        "20 11 000c c0000201 c6336401 dc04 01bb, local",
        "20 ff 0003 010203, local",
        "21 00 0000, unknown",
        "21 00 0005 0102030405, unknown",
        "21 12 000c c0000201 c6336401 dc04 01bb, unknown",
        "21 22 0001 00, unknown",
        "21 31 0001 00, unknown",
        "21 32 0000, unknown"
    })
    void headersOfVersion2AreRead(String rest, String expected) throws ProxyHeader.Malformed {
        assertRead(expected, binary(rest));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "11 11 000c c0000201 c6336401 dc04 01bb",
                "31 11 000c",
                "01 11 000c",
                "22 11 000c",
                "2f 11 000c",
                "21 13 000c",
                "21 01 0000",
                "21 10 000c",
                "21 20 0000",
                "21 30 0000",
                "21 41 000c",
                "21 f1 000c",
                "21 11 000b",
                "21 11 0000",
                "21 21 000c",
                "21 21 0023",
                "21 11 4001",
                "20 00 ffff"
            })
    void malformedHeadersOfVersion2AreRefused(String rest) {
        assertMalformed(binary(rest));
    }

    @Test
    void aHeaderWithAWrongSignatureIsRefused() {
        byte[] header = binary("20 00 0000");
        for (int i = 0; i < SIGNATURE.length() / 2; i++) {
            byte[] changed = header.clone();
            changed[i] ^= 1;
            assertMalformed(changed);
        }
    }

    @Test
    void aHeaderOfVersion2WithTheMaximumLengthIsRead() throws ProxyHeader.Malformed {
        byte[] longest = Arrays.copyOf(binary("21 11 4000 c0000201 c6336401 dc04 01bb"), 16 + HeaderReader.MAX_BINARY);
        HeaderReader reader = new HeaderReader();
        assertNull(reader.read(ByteBuffer.wrap(longest, 0, longest.length - 1)));
        assertEquals(
                "192.0.2.1#56324 198.51.100.1#443",
                shown(reader.read(ByteBuffer.wrap(longest, longest.length - 1, 1))));
    }

    /**
     * Random addresses in both versions of the header are read correctly. If one byte of a header is changed, the reader accepts the
     * header, waits for more bytes, or throws {@code Malformed}. It throws no other exception.
     */
    @Test
    void randomAddressesAreReadFromHeadersOfBothVersions() throws ProxyHeader.Malformed {
        for (int i = 0; i < 20_000; i++) {
            boolean ipv6 = random.nextBoolean();
            byte[] source = new byte[ipv6 ? 16 : 4];
            byte[] destination = new byte[source.length];
            random.nextBytes(source);
            random.nextBytes(destination);
            int from = random.nextInt(65536);
            int to = random.nextInt(65536);
            InetSocketAddress client = new InetSocketAddress(IpLiteral.address(source), from);
            InetSocketAddress server = new InetSocketAddress(IpLiteral.address(destination), to);
            String expected = shown(client) + " " + shown(server);
            byte[] line = text(
                    "PROXY " + (ipv6 ? "TCP6 " : "TCP4 ") + client.getAddress().getHostAddress() + " "
                            + server.getAddress().getHostAddress() + " " + from + " " + to);
            byte[] values = new byte[random.nextInt(20)];
            random.nextBytes(values);
            ByteBuffer binary = ByteBuffer.allocate(16 + 2 * source.length + 4 + values.length)
                    .put(binary("21" + (ipv6 ? "21" : "11")))
                    .putShort((short) (2 * source.length + 4 + values.length))
                    .put(source)
                    .put(destination)
                    .putShort((short) from)
                    .putShort((short) to)
                    .put(values);
            for (byte[] header : new byte[][] {line, binary.array()}) {
                assertEquals(expected, shown(new HeaderReader().read(ByteBuffer.wrap(header))), () -> "seed " + seed);
                byte[] changed = with(header, BYTES_AFTER);
                changed[random.nextInt(header.length)] = (byte) random.nextInt(256);
                ByteBuffer in = ByteBuffer.wrap(changed);
                try {
                    ProxyHeader read = new HeaderReader().read(in);
                    assertTrue(read != null || !in.hasRemaining(), () -> "seed " + seed);
                } catch (ProxyHeader.Malformed e) {
                    assertNotNull(e.getMessage());
                }
            }
        }
    }
}
