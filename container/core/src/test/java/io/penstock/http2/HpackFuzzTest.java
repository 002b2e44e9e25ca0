package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.http.FieldSection;
import io.penstock.http.Fields;
import io.penstock.http.Violation;
import io.penstock.limits.MessageLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fuzz test for field blocks. The input is cut into blocks of one connection. Each block is decoded or ends the connection, within the limits
 * for memory. The fields of a block that is well formed are encoded, and decoded again.
 */
class HpackFuzzTest {
    private static final int TABLE = 4096;
    private static final MessageLimits LIMITS = new MessageLimits(8192, 32_768, 1000, 2048, 8192, 1 << 20);

    @FuzzTest
    void fieldsThatAreEncodedAreTheSameAfterwards(byte[] data) {
        HpackDecoder decoder = new HpackDecoder(TABLE);
        FieldSection section = new FieldSection(LIMITS);
        int cut = data.length == 0 ? 0 : (data[0] & 0xFF) % data.length;
        try {
            for (int[] block : new int[][] {{0, cut}, {cut, data.length}}) {
                List<String> fields = decode(decoder, section, data, block[0], block[1]);
                if (fields != null) {
                    assertEquals(fields, again(fields));
                }
                assertTrue(
                        decoder.heldByOctets() <= TABLE && decoder.heldByEntries() <= TABLE, "the table is too large");
                assertTrue(section.bytes().length <= 1024 + 8 * (data.length + TABLE), "the section is too large");
            }
        } catch (ConnectionError e) {
            assertEquals(ErrorCode.COMPRESSION_ERROR, e.code());
        }
    }

    /** The fields of a trailer section; null if it is malformed or too large. */
    private static @Nullable List<String> decode(
            HpackDecoder decoder, FieldSection section, byte[] data, int start, int end) throws ConnectionError {
        section.begin(true);
        decoder.decode(data, start, end, section);
        if (section.malformed() != null) {
            return null;
        }
        List<String> texts = new ArrayList<>();
        try {
            Fields fields = section.trailers();
            for (int i = 0; i < fields.size(); i++) {
                texts.add(fields.name(i));
                texts.add(fields.value(i));
            }
        } catch (Violation tooLarge) {
            return null;
        }
        return texts;
    }

    private static List<String> again(List<String> fields) throws ConnectionError {
        byte[] block = new byte[64];
        int end = 0;
        for (int i = 0; i < fields.size(); i += 2) {
            block = Arrays.copyOf(block, block.length + HpackEncoder.maxField(fields.get(i), fields.get(i + 1)));
            end = HpackEncoder.field(fields.get(i), fields.get(i + 1), block, end);
        }
        List<String> decoded = decode(new HpackDecoder(TABLE), new FieldSection(LIMITS), block, 0, end);
        return decoded == null ? List.of("malformed") : decoded;
    }
}
