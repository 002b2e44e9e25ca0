package io.penstock.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The evaluation of a {@code Range} field for a representation of known length (RFC 9110 section 14.2).
 *
 * @param outcome the kind of response
 * @param ranges the ranges to send, in the requested order; overlapping or nearly adjacent ones are merged. Empty unless {@link
 * Outcome#PARTIAL}
 */
public record ByteRanges(Outcome outcome, List<ByteRange> ranges) {

    /** The kind of response to a range request. */
    public enum Outcome {
        /** 200: the field is missing or malformed, has another unit, or has more ranges than any client needs. */
        WHOLE,
        /** 206. */
        PARTIAL,
        /** 416 with the length in {@code Content-Range}. */
        UNSATISFIABLE
    }

    private static final ByteRanges WHOLE = new ByteRanges(Outcome.WHOLE, List.of());
    private static final ByteRanges UNSATISFIABLE = new ByteRanges(Outcome.UNSATISFIABLE, List.of());

    /** Many small ranges are an attack or a mistake (RFC 9110 section 17.15). */
    private static final int MOST_RANGES = 32;
    /** Sending a gap up to this size is cheaper than the head of another body part. */
    private static final int CHEAP_GAP = 80;

    /**
     * Reads a field value.
     *
     * @param field null if there is none
     * @param length of the representation in bytes
     */
    public static ByteRanges parse(@Nullable String field, long length) {
        if (field == null || !field.regionMatches(true, 0, "bytes=", 0, 6)) {
            return WHOLE;
        }
        String[] specs = field.substring(6).split(",", MOST_RANGES + 1);
        if (specs.length > MOST_RANGES) {
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
     * Parses one range-spec without the length: a suffix of n bytes becomes -n to -1, and an open end becomes the largest number. Null if
     * malformed.
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
     * Parses digits; -1 if there are none or other characters. A number that is too large for a position becomes the largest position,
     * which is behind the end of any representation.
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

    /** The satisfiable part of a range, if there is one. */
    private static @Nullable ByteRange within(ByteRange range, long length) {
        boolean suffix = range.last() < 0;
        long first = suffix ? Math.max(0, length + range.first()) : range.first();
        long last = suffix ? length - 1 : Math.min(range.last(), length - 1);
        return first > last ? null : new ByteRange(first, last);
    }

    /** Adds a range. Merges it with all ranges that it overlaps or nearly touches; the result takes the place of the first of them. */
    private static void add(List<ByteRange> ranges, ByteRange added) {
        ByteRange merged = added;
        int place = ranges.size();
        for (int i = ranges.size() - 1; i >= 0; i--) {
            ByteRange other = ranges.get(i);
            if (merged.first() - CHEAP_GAP <= other.last() + 1 && other.first() - CHEAP_GAP <= merged.last() + 1) {
                merged = new ByteRange(Math.min(merged.first(), other.first()), Math.max(merged.last(), other.last()));
                ranges.remove(i);
                place = Math.min(place, i);
                // Start again: the wider range may now touch ranges that were skipped.
                i = ranges.size();
            }
        }
        ranges.add(place, merged);
    }
}
