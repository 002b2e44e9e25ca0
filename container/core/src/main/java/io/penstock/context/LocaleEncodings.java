package io.penstock.context;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the encoding of a response by the response's locale (Servlet 6.1, section 5.6). An encoding that the application or the descriptor sets
 * takes precedence.
 */
final class LocaleEncodings {
    private static final String JAPANESE = "ja";

    /** Languages for which ISO-8859-1, the default encoding of responses, suffices. */
    private static final Set<String> WESTERN = Set.of(
            "af", "br", "ca", "da", "de", "en", "es", "eu", "fi", "fo", "fr", "fy", "ga", "gd", "gl", "id", "in", "is",
            "it", "lb", "ms", "nb", "nl", "nn", "no", "oc", "pt", "rm", "sq", "sv", "sw", "tl", "wa");

    private LocaleEncodings() {}

    /** The encoding for a locale; null if the default encoding suffices. */
    static @Nullable String of(Locale locale) {
        String language = locale.getLanguage();
        if (language.isEmpty() || WESTERN.contains(language)) {
            return null;
        }
        return language.equals(JAPANESE) ? "Shift_JIS" : "UTF-8";
    }
}
