package io.penstock.context;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The encoding of a response by its locale, if neither the application nor the descriptor sets one (Servlet 6.1, 5.6). */
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
