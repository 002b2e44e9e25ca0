package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.http.FieldSection;
import io.penstock.http.Fields;
import io.penstock.http.Violation;
import io.penstock.limits.MessageLimits;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Fuzz test for field blocks. The input is cut into blocks of one connection. Each block is decoded or ends the connection, within the limits
 * for memory. The fields of a block that is well formed are encoded, and decoded again. The normal build makes inputs from seeds: {@code
 * -Dpenstock.fuzz.seeds=1000000} makes more than usual, {@code -Dpenstock.fuzz.first=SEED -Dpenstock.fuzz.seeds=1} repeats one.
 */
class HpackFuzzTest {
    private static final long SEEDS = Long.getLong("penstock.fuzz.seeds", 2_000);
    private static final long FIRST = Long.getLong("penstock.fuzz.first", 0);
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
            if (e.code() != ErrorCode.ENHANCE_YOUR_CALM || !section.isMuchTooLarge()) {
                assertEquals(ErrorCode.COMPRESSION_ERROR, e.code());
            }
        }
    }

    @Test
    void blocksThatAreMadeByChanceAreDecodedOrEndTheConnection() {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                fieldsThatAreEncodedAreTheSameAfterwards(blocks(new SplittableRandom(seed)));
            } catch (Exception | AssertionError failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
    }

    /** Field representations of all kinds (RFC 7541 section 6), and then, in most inputs, up to three octets that do not belong to them. */
    private static byte[] blocks(SplittableRandom random) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        if (random.nextInt(4) == 0) {
            integer(all, 0x20, 5, random.nextInt(8) == 0 ? random.nextInt(1 << 16) : random.nextInt(TABLE + 1));
        }
        int entries = StaticTable.SIZE;
        for (int left = random.nextInt(1, 12); left > 0; left--) {
            if (random.nextInt(3) == 0) {
                integer(all, 0x80, 7, random.nextInt(1, entries + 1));
                continue;
            }
            boolean becomesEntry = random.nextInt(3) > 0;
            int index = random.nextBoolean() ? random.nextInt(1, entries + 1) : 0;
            integer(all, becomesEntry ? 0x40 : random.nextInt(2) << 4, becomesEntry ? 6 : 4, index);
            if (index == 0) {
                text(all, random, 30);
            }
            text(all, random, random.nextInt(10) == 0 ? 3_000 : 60);
            entries += becomesEntry ? 1 : 0;
        }
        byte[] bytes = all.toByteArray();
        for (int left = random.nextInt(4); left > 0; left--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return random.nextInt(8) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }

    /** Some of the texts say that they have a Huffman code. */
    private static void text(ByteArrayOutputStream to, SplittableRandom random, int most) {
        int length = random.nextInt(1, most);
        boolean huffman = random.nextInt(4) == 0;
        integer(to, huffman ? 0x80 : 0, 7, length);
        for (int i = 0; i < length; i++) {
            to.write(huffman ? random.nextInt() : 'a' + random.nextInt(26));
        }
    }

    private static void integer(ByteArrayOutputStream to, int firstBits, int prefix, int value) {
        int most = (1 << prefix) - 1;
        if (value < most) {
            to.write(firstBits | value);
            return;
        }
        to.write(firstBits | most);
        int rest = value - most;
        for (; rest >= 0x80; rest >>>= 7) {
            to.write(rest & 0x7F | 0x80);
        }
        to.write(rest);
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
