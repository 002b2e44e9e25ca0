package io.penstock.context;

import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Character encodings of a context.
 *
 * @param request default for request bodies, or null
 * @param response default for responses, or null
 * @param files encoding of all text files; if null, HTML files declare their own encoding, and other text is UTF-8
 * @param byLocale encodings by locale, written as in {@code locale-encoding-mapping}: {@code ja}, {@code zh_TW}
 */
public record Encodings(
        @Nullable String request,
        @Nullable String response,
        @Nullable Charset files,
        Map<String, String> byLocale) {

    public static final Encodings NONE = new Encodings(null, null, null, Map.of());

    public Encodings {
        byLocale = Map.copyOf(byLocale);
    }

    /** Encodings without mappings of locales. */
    public static Encodings of(@Nullable Charset request, @Nullable Charset response, @Nullable Charset files) {
        return new Encodings(name(request), name(response), files, Map.of());
    }

    /** These encodings with mappings of locales, in the form of {@code locale-encoding-mapping}. */
    public Encodings withLocales(Map<String, String> encodings) {
        return new Encodings(request, response, files, encodings);
    }

    private static @Nullable String name(@Nullable Charset charset) {
        return charset == null ? null : charset.name();
    }

    /** These encodings. The encodings of {@code other} replace absent ones. */
    Encodings or(Encodings other) {
        return new Encodings(
                request == null ? other.request : request,
                response == null ? other.response : response,
                files == null ? other.files : files,
                byLocale.isEmpty() ? other.byLocale : byLocale);
    }

    /** The encoding declared for a locale, its country or its language; null if there is none. */
    public @Nullable String forLocale(Locale locale) {
        String encoding = byLocale.get(locale.toString());
        if (encoding == null) {
            encoding = byLocale.get(locale.getLanguage() + "_" + locale.getCountry());
        }
        return encoding != null ? encoding : byLocale.get(locale.getLanguage());
    }
}
