package io.penstock.context;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Character encodings of a context.
 *
 * @param request default for request bodies, or null
 * @param response default for responses, or null
 * @param byLocale encodings by locale, written as in {@code locale-encoding-mapping}: {@code ja}, {@code zh_TW}
 */
public record Encodings(@Nullable String request, @Nullable String response, Map<String, String> byLocale) {

    public static final Encodings NONE = new Encodings(null, null, Map.of());

    public Encodings {
        byLocale = Map.copyOf(byLocale);
    }

    /** The encoding declared for a locale, its country or its language; null where there is none. */
    public @Nullable String forLocale(Locale locale) {
        String encoding = byLocale.get(locale.toString());
        if (encoding == null) {
            encoding = byLocale.get(locale.getLanguage() + "_" + locale.getCountry());
        }
        return encoding != null ? encoding : byLocale.get(locale.getLanguage());
    }
}
