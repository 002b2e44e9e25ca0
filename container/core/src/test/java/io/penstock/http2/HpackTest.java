package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.FieldSection;
import io.penstock.http.Fields;
import io.penstock.limits.MessageLimits;
import io.penstock.limits.ServerConfig;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 7541. */
final class HpackTest {
    private static final int LIMIT = 4096;

    private final HpackDecoder decoder = new HpackDecoder(LIMIT);

    @ParameterizedTest
    @CsvSource({
        // appendix C.4: three requests, with Huffman codes
        "'8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff', GET www.example.com / -",
        "'400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572 8286 8441 0131', malformed",
        "'8286 4101 3104 0c2f 7361 6d70 6c65 2f70 6174 68', GET 1 /sample/path -",
    })
    void requestsOfTheSpecificationAreDecoded(String block, String expected) throws Exception {
        assertEquals(expected, request(block));
    }

    @Test
    void blocksOfOneConnectionShareATable() throws Exception {
        // appendix C.4
        assertEquals("GET www.example.com / -", request("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff"));
        assertEquals("GET www.example.com / no-cache", request("8286 84be 5886 a8eb 1064 9cbf"));
        assertEquals(
                "GET www.example.com /index.html -",
                request("8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf"));
        // custom-key is the newest entry, then cache-control, then :authority
        assertEquals("custom-key=custom-value, cache-control=no-cache", trailers("be bf"));
    }

    @Test
    void theOldestEntriesLeaveATableThatIsFull() throws Exception {
        // appendix C.5: a table of 256 octets
        assertEquals(
                "cache-control=private, date=Mon, 21 Oct 2013 20:13:21 GMT, location=https://www.example.com",
                trailers("3fe1 0158 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133"
                        + " 3a32 3120 474d 546e17 6874 7470 733a 2f2f 7777 772e 6578 616d 706c 652e 636f 6d"));
        assertEquals(
                "location=https://www.example.com, date=Mon, 21 Oct 2013 20:13:21 GMT, cache-control=private",
                trailers("be bf c0"));
        // The next entry does not fit beside the three.
        String long90 = "78".repeat(120);
        trailers("4001 7a78" + long90);
        assertThrows(ConnectionError.class, () -> trailers("c0"));
    }

    @Test
    void theTableHoldsAsManyEntriesAsItsSizeAllows() throws Exception {
        // Each entry counts 32 octets and two of its own.
        int most = LIMIT / 34;
        for (int i = 0; i < 10 * most; i++) {
            trailers("4001 61 01" + hex((byte) ('a' + i % 26)));
        }
        assertEquals("a=" + (char) ('a' + (10 * most - 1) % 26), trailers("be"));
        assertEquals("a=" + (char) ('a' + (9 * most) % 26), trailers(indexed(61 + most)));
        assertThrows(ConnectionError.class, () -> trailers(indexed(62 + most)));
        assertTrue(decoder.heldByOctets() <= LIMIT, "bytes of memory: " + decoder.heldByOctets());
        assertTrue(decoder.heldByEntries() <= LIMIT, "bytes of memory: " + decoder.heldByEntries());
    }

    @Test
    void anEntryThatIsLargerThanTheTableEmptiesIt() throws Exception {
        trailers("4001 61 01 62");
        assertEquals("a=b", trailers("be"));
        StringBuilder block = new StringBuilder("4001 61 7fa11f"); // 4,128 octets
        block.append("78".repeat(4128));
        trailers(block.toString());
        assertThrows(ConnectionError.class, () -> trailers("be"));
    }

    @Test
    void aTableWithoutEntriesTakesNoMemory() throws Exception {
        request("8286 8401 0131");
        assertEquals(0, decoder.heldByOctets() + decoder.heldByEntries());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80", // index 0
                "be", // index behind the table
                "ff ff ff ff ff 0f", // integer that is too large
                "ff 80 80 80 80 80 80 01", // integer with too many octets
                "ff", // ends within an integer
                "40", // ends before a name
                "40 01", // ends within a name
                "40 01 61 05 62", // text that is longer than the block
                "82 20", // size of the table behind a field
                "3f e2 1f", // table of 4,097 octets
                "00 01 61 84 ff ff ff ff", // EOS
                "00 01 61 82 1f ff", // padding of eight bits
                "00 01 61 81 18", // padding that is not the beginning of EOS
            })
    void malformedBlocksEndTheConnection(String block) {
        ConnectionError error = assertThrows(ConnectionError.class, () -> trailers(block));
        assertEquals(ErrorCode.COMPRESSION_ERROR, error.code());
    }

    @Test
    void severalSizesOfTheTableMayBeAtTheBeginning() throws Exception {
        trailers("4001 61 01 62");
        trailers("20 3fe1 1f 4001 61 01 63");
        assertEquals("a=c", trailers("be"));
        assertThrows(ConnectionError.class, () -> trailers("bf"));
    }

    @Test
    void eachTextSurvivesItsHuffmanCode() throws Exception {
        Random random = new Random(7541);
        for (int round = 0; round < 20_000; round++) {
            byte[] text = new byte[random.nextInt(40)];
            random.nextBytes(text);
            if (round % 2 == 0) {
                for (int i = 0; i < text.length; i++) {
                    text[i] = (byte) (' ' + (text[i] & 0x3F));
                }
            }
            byte[] coded = new byte[Huffman.codedLength(text, 0, text.length) + 2];
            int end = Huffman.encode(text, 0, text.length, coded, 1);
            assertEquals(coded.length - 1, end);
            byte[] decoded = new byte[Huffman.mostDecoded(end - 1) + 1];
            int length = Huffman.decode(coded, 1, end, decoded, 1) - 1;
            assertEquals(text.length, length);
            for (int i = 0; i < length; i++) {
                assertEquals(text[i], decoded[i + 1]);
            }
        }
    }

    /** Otherwise 16 KB of a block would make the server copy 67 MB. */
    @Test
    void aBlockMayNotCopyALongEntryOfTheTableAgainAndAgain() throws Exception {
        FieldSection fields = new FieldSection(ServerConfig.defaults().messages());
        fields.begin(true);
        decode("40 7fe11e" + "61".repeat(LIMIT - 32) + "00", fields); // fills the table
        fields.begin(true);
        ConnectionError error = assertThrows(ConnectionError.class, () -> decode("7e00".repeat(8192), fields));
        assertEquals(ErrorCode.ENHANCE_YOUR_CALM, error.code());
    }

    @Test
    void randomBytesAreDecodedOrEndTheConnection() {
        Random random = new Random(1);
        for (int round = 0; round < 5_000; round++) {
            byte[] block = new byte[1 + random.nextInt(60)];
            random.nextBytes(block);
            HpackDecoder fresh = new HpackDecoder(LIMIT);
            try {
                FieldSection fields = section(true);
                fresh.decode(block, 0, block.length, fields);
                fresh.decode(block, 0, block.length, section(true));
            } catch (ConnectionError e) {
                assertEquals(ErrorCode.COMPRESSION_ERROR, e.code());
            }
        }
    }

    @Test
    void encodedFieldsAreThoseThatAreDecoded() throws Exception {
        List<String> expected = new ArrayList<>();
        byte[] out = new byte[20_000];
        int end = HpackEncoder.tableSize(0, out, 0);
        String[] names = {"Content-Type", "set-cookie", "X-Custom", "date", "WWW-Authenticate", "x".repeat(300)};
        for (String name : names) {
            for (String value : List.of("", "a", "v".repeat(126), "v".repeat(127), "v".repeat(1000), "caf\u00e9")) {
                int before = end;
                end = HpackEncoder.field(name, value, out, end);
                assertTrue(end - before <= HpackEncoder.maxField(name, value));
                expected.add(name.toLowerCase(Locale.ROOT) + "=" + value);
            }
        }
        FieldSection fields = section(true);
        decoder.decode(out, 0, end, fields);
        assertEquals(String.join(", ", expected), text(fields.trailers()));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 206, 304, 400, 404, 500, 100, 103, 301, 599})
    void eachStatusIsEncoded(int status) throws Exception {
        byte[] out = new byte[8];
        int end = HpackEncoder.status(status, out, 0);
        // The name is that of a response, so a request with it is malformed. The table has the octets.
        FieldSection fields = section(false);
        decoder.decode(out, 0, end, fields);
        assertTrue(fields.malformed() != null);
        assertEquals(status, statusOf(out, end));
    }

    private static int statusOf(byte[] block, int end) {
        String text = end == 1
                ? new String(StaticTable.value(block[0] & 0x7F), StandardCharsets.US_ASCII)
                : new String(block, 2, end - 2, StandardCharsets.US_ASCII);
        return Integer.parseInt(text);
    }

    @Test
    void theStaticTableHas61Fields() {
        assertEquals(61, StaticTable.SIZE);
        assertArrayEquals("www-authenticate".getBytes(StandardCharsets.US_ASCII), StaticTable.name(61));
        assertEquals(1, StaticTable.indexOf(":authority"));
        assertEquals(54, StaticTable.indexOf("Server"));
        assertEquals(0, StaticTable.indexOf("x-custom"));
    }

    // ---- helpers

    private static FieldSection section(boolean trailers) {
        MessageLimits usual = ServerConfig.defaults().messages();
        MessageLimits wide = new MessageLimits(
                usual.requestLine(), 1 << 20, 10_000, usual.chunkExtensionBytes(), 1 << 20, usual.bodyBytes());
        FieldSection section = new FieldSection(wide);
        section.begin(trailers);
        return section;
    }

    private String request(String block) throws Exception {
        FieldSection fields = section(false);
        decode(block, fields);
        if (fields.malformed() != null) {
            return "malformed";
        }
        var head = fields.request();
        String cache = head.fields().first("cache-control");
        return head.method() + " " + head.authority() + " " + head.target().raw() + " " + (cache == null ? "-" : cache);
    }

    private String trailers(String block) throws Exception {
        FieldSection fields = section(true);
        decode(block, fields);
        return text(fields.trailers());
    }

    private void decode(String block, FieldSection fields) throws ConnectionError {
        ByteArrayOutputStream around = new ByteArrayOutputStream();
        around.write(0x80);
        around.writeBytes(HexFormat.of().parseHex(block.replace(" ", "")));
        around.write(0x80);
        decoder.decode(around.toByteArray(), 1, around.size() - 1, fields);
    }

    private static String text(Fields fields) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            all.add(fields.name(i) + "=" + fields.value(i));
        }
        return String.join(", ", all);
    }

    private static String indexed(int index) {
        return index < 127 ? hex((byte) (0x80 | index)) : "ff" + hex((byte) (index - 127));
    }

    private static String hex(byte octet) {
        return HexFormat.of().toHexDigits(octet);
    }
}
