package io.penstock.context;

import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The character encodings of a context.
 *
 * @param request the default encoding of request bodies, or null
 * @param response the default encoding of responses, or null
 * @param files the encoding of all text files; if null, HTML files declare their own encoding, and other text files are UTF-8
 * @param byLocale the encodings by locale, written as in {@code locale-encoding-mapping}: {@code ja}, {@code zh_TW}
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

    /** These encodings. If an encoding is missing, the result has the encoding of {@code other}. */
    Encodings or(Encodings other) {
        return new Encodings(
                request == null ? other.request : request,
                response == null ? other.response : response,
                files == null ? other.files : files,
                byLocale.isEmpty() ? other.byLocale : byLocale);
    }

    /**
     * The declared encoding for a locale. The method searches for the complete locale first, then for its language and country, then for
     * its language alone. Null if no encoding is declared for any of these.
     */
    public @Nullable String forLocale(Locale locale) {
        String encoding = byLocale.get(locale.toString());
        if (encoding == null) {
            encoding = byLocale.get(locale.getLanguage() + "_" + locale.getCountry());
        }
        return encoding != null ? encoding : byLocale.get(locale.getLanguage());
    }
}
