package io.penstock.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of evaluating a {@code Range} field for a representation of known length (RFC 9110 section 14.2).
 *
 * @param outcome the kind of response
 * @param ranges the ranges to send, in the requested order. Overlapping or nearly adjacent ranges are merged. The list is empty if the
 *     outcome is not {@link Outcome#PARTIAL}
 */
public record ByteRanges(Outcome outcome, List<ByteRange> ranges) {

    /** The kind of response to a range request. */
    public enum Outcome {
        /** The response is 200. The field is missing or malformed, has another unit, or has more ranges than any client needs. */
        WHOLE,
        /** The response is 206. */
        PARTIAL,
        /** The response is 416, with the length in {@code Content-Range}. */
        UNSATISFIABLE
    }

    private static final ByteRanges WHOLE = new ByteRanges(Outcome.WHOLE, List.of());
    private static final ByteRanges UNSATISFIABLE = new ByteRanges(Outcome.UNSATISFIABLE, List.of());

    /** The highest number of ranges that is accepted. More ranges are an attack or a mistake (RFC 9110 section 17.15). */
    private static final int MAX_RANGES = 32;
    /** If the gap between two ranges has at most this many bytes, the gap is sent, too. The head of another body part would be larger. */
    private static final int CHEAP_GAP = 80;

    /**
     * Reads a field value.
     *
     * @param field the value of the field; null if the request has no such field
     * @param length the length of the representation in bytes
     */
    public static ByteRanges parse(@Nullable String field, long length) {
        if (field == null || !field.regionMatches(true, 0, "bytes=", 0, 6)) {
            return WHOLE;
        }
        String[] specs = field.substring(6).split(",", MAX_RANGES + 1);
        if (specs.length > MAX_RANGES) {
            return WHOLE;
        }
        List<ByteRange> ranges = new ArrayList<>(specs.length);
        for (String spec : specs) {
            String text = spec.strip();
            if (text.isEmpty()) {
                continue;
            }
            ByteRange range = range(text);
            if (range == null) {
                return WHOLE;
            }
            ByteRange satisfiable = within(range, length);
            if (satisfiable != null) {
                add(ranges, satisfiable);
            }
        }
        return ranges.isEmpty() ? UNSATISFIABLE : new ByteRanges(Outcome.PARTIAL, List.copyOf(ranges));
    }

    /**
     * Parses one range-spec, without knowing the length of the representation. A suffix range of n bytes becomes the range -n to -1. An
     * open end becomes the largest number. Returns null if the text is malformed.
     */
    private static @Nullable ByteRange range(String spec) {
        int dash = spec.indexOf('-');
        if (dash < 0) {
            return null;
        }
        long first = number(spec, 0, dash);
        long last = number(spec, dash + 1, spec.length());
        if (dash == 0) {
            return last < 0 ? null : new ByteRange(-last, -1);
        }
        if (dash == spec.length() - 1) {
            return first < 0 ? null : new ByteRange(first, Long.MAX_VALUE);
        }
        return first < 0 || last < first ? null : new ByteRange(first, last);
    }

    /**
     * Parses digits. Returns -1 if there are no digits, or if there are other characters. A number that is too large becomes {@link
     * Long#MAX_VALUE}, which is behind the end of any representation.
     */
    private static long number(String text, int start, int end) {
        long value = start == end ? -1 : 0;
        for (int i = start; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : 10 * value + digit;
        }
        return value;
    }

    /** Returns the part of a range that lies within the representation; null if there is no such part. */
    private static @Nullable ByteRange within(ByteRange range, long length) {
        boolean suffix = range.last() < 0;
        long first = suffix ? Math.max(0, length + range.first()) : range.first();
        long last = suffix ? length - 1 : Math.min(range.last(), length - 1);
        return first > last ? null : new ByteRange(first, last);
    }

    /**
     * Adds a range. Merges the range with all ranges that it overlaps or nearly touches. The merged range takes the place of the first of
     * these ranges.
     */
    private static void add(List<ByteRange> ranges, ByteRange added) {
        ByteRange merged = added;
        int index = ranges.size();
        for (int i = ranges.size() - 1; i >= 0; i--) {
            ByteRange other = ranges.get(i);
            if (merged.first() - CHEAP_GAP <= other.last() + 1 && other.first() - CHEAP_GAP <= merged.last() + 1) {
                merged = new ByteRange(Math.min(merged.first(), other.first()), Math.max(merged.last(), other.last()));
                ranges.remove(i);
                index = Math.min(index, i);
                // Starts again, because the wider range may touch ranges that were skipped before.
                i = ranges.size();
            }
        }
        ranges.add(index, merged);
    }
}
