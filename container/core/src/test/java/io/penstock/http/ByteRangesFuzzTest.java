package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.http.ByteRanges.Outcome;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fuzz test for the {@code Range} field. The input is the value of the field, which may be any text, and the length of the requested file,
 * which is at most two kilobytes. The server must send each requested byte exactly once, and may also send the bytes of small gaps between
 * the ranges. The method {@link #requestedBytes} computes the requested bytes independently of {@link ByteRanges}.
 */
class ByteRangesFuzzTest {
    private static final Pattern SPEC = Pattern.compile("[ \\t]*(?:([0-9]*)-([0-9]*))?[ \\t]*");
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final int MAX = 32;
    private static final int GAP = 80;

    /** Returns the set of requested bytes; null if the field must be ignored. */
    private static @Nullable BitSet requestedBytes(String text, int length) {
        String[] specs = text.split(",", -1);
        if (specs.length > MAX) {
            return null;
        }
        BitSet bytes = new BitSet();
        for (String spec : specs) {
            Matcher matcher = SPEC.matcher(spec);
            if (!matcher.matches()) {
                return null;
            }
            if (spec.isBlank()) {
                continue;
            }
            String first = matcher.group(1);
            String last = matcher.group(2);
            if (first.isEmpty() && last.isEmpty()) {
                return null;
            }
            if (first.isEmpty()) {
                bytes.set(length - (int) Math.min(number(last), length), length);
            } else {
                long end = last.isEmpty() ? Long.MAX_VALUE : number(last);
                if (end < number(first)) {
                    return null;
                }
                int from = (int) Math.min(number(first), length);
                bytes.set(from, Math.max(from, (int) Math.min(end, length - 1) + 1));
            }
        }
        return bytes;
    }

    private static long number(String digits) {
        return new BigInteger(digits).min(LARGEST).longValue();
    }

    private static void fillGaps(BitSet bytes) {
        int end = bytes.nextClearBit(Math.max(0, bytes.nextSetBit(0)));
        for (int next = bytes.nextSetBit(end); next >= 0; next = bytes.nextSetBit(end)) {
            if (next - end <= GAP) {
                bytes.set(end, next);
            }
            end = bytes.nextClearBit(next);
        }
    }

    @FuzzTest
    void eachRequestedByteIsSentExactlyOnce(byte[] data) {
        int length = data.length == 0 ? 0 : 8 * (data[0] & 0xff);
        String text = FuzzedText.fieldValue(data.length == 0 ? data : Arrays.copyOfRange(data, 1, data.length));
        ByteRanges ranges = ByteRanges.parse("bytes=" + text, length);
        BitSet requestedBytes = requestedBytes(text, length);
        if (requestedBytes == null) {
            assertEquals(new ByteRanges(Outcome.WHOLE, List.of()), ranges);
            return;
        }
        assertEquals(requestedBytes.isEmpty() ? Outcome.UNSATISFIABLE : Outcome.PARTIAL, ranges.outcome());
        assertTrue(ranges.ranges().size() <= MAX);
        fillGaps(requestedBytes);
        BitSet sent = new BitSet();
        for (ByteRange range : ranges.ranges()) {
            assertTrue(range.first() >= 0 && range.first() <= range.last() && range.last() < length, range.toString());
            int first = (int) range.first();
            int end = (int) range.last() + 1;
            assertTrue(sent.get(first, end).isEmpty(), ranges.toString());
            sent.set(first, end);
        }
        assertEquals(requestedBytes, sent, ranges.toString());
    }
}
