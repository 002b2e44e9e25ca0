package io.penstock.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code Accept-Language} (RFC 9110 section 12.5.4). The locales are sorted by descending weight. Locales of equal weight keep their
 * order.
 */
public final class AcceptLanguage {
    /** The highest number of language ranges that are read. No browser sends so many ranges. */
    private static final int MAX_RANGES = 64;

    private record Weighted(Locale locale, int thousandths) {}

    private AcceptLanguage() {}

    /** Returns the acceptable locales. The list is empty if the client names no locale. Malformed language ranges are skipped. */
    public static List<Locale> parse(List<String> fieldValues) {
        List<Weighted> ranges = new ArrayList<>();
        for (String value : fieldValues) {
            int start = 0;
            while (start < value.length() && ranges.size() < MAX_RANGES) {
                int comma = value.indexOf(',', start);
                int end = comma < 0 ? value.length() : comma;
                Weighted range = range(value.substring(start, end));
                if (range != null) {
                    ranges.add(range);
                }
                start = end + 1;
            }
        }
        ranges.sort(Comparator.comparingInt(Weighted::thousandths).reversed());
        return ranges.stream().map(Weighted::locale).distinct().toList();
    }

    private static @Nullable Weighted range(String text) {
        int semicolon = text.indexOf(';');
        String tag = (semicolon < 0 ? text : text.substring(0, semicolon)).strip();
        int weight = semicolon < 0
                ? QualityValue.MAX
                : QualityValue.thousandths(text.substring(semicolon + 1).strip());
        Locale locale = Locale.forLanguageTag(tag);
        return weight <= 0 || locale.getLanguage().isEmpty() ? null : new Weighted(locale, weight);
    }
}
