package io.penstock.request;

import io.penstock.http.MediaType;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The media type, the character encoding and the locale of a response. The type and the locale can set the encoding (Servlet 5.6).
 *
 * <p>Thread: one application thread at a time.
 */
final class ContentCharset {
    private static final String LAST_RESORT = StandardCharsets.ISO_8859_1.name();

    private final @Nullable String contextDefault;
    private final Function<Locale, @Nullable String> byLocale;
    private @Nullable String type;
    private @Nullable String charset;
    private Source source = Source.NONE;
    private @Nullable Locale locale;

    /**
     * How the charset was set, in ascending rank. A later setting counts only if its rank is not lower than the rank of the earlier
     * setting.
     */
    private enum Source {
        NONE,
        LOCALE,
        EXPLICIT,
        WRITER
    }

    /**
     * @param contextDefault the descriptor's {@code response-character-encoding}
     * @param byLocale the descriptor's {@code locale-encoding-mapping}
     */
    ContentCharset(@Nullable String contextDefault, Function<Locale, @Nullable String> byLocale) {
        this.contextDefault = contextDefault;
        this.byLocale = byLocale;
    }

    void type(@Nullable String value) {
        if (value == null) {
            type = null;
            charset((String) null);
            return;
        }
        // A value without parameters names no charset, so the value is not parsed.
        MediaType parsed = value.indexOf(';') < 0 ? null : MediaType.parse(value);
        if (parsed == null || parsed.charset() == null) {
            type = ResponseFields.checked("Content-Type", value);
            return;
        }
        Map<String, String> others = new LinkedHashMap<>(parsed.parameters());
        others.remove("charset");
        type = new MediaType(parsed.type(), parsed.subtype(), others).toString();
        charset(parsed.charset());
    }

    /** Sets the charset; null clears the charset. Has no effect after {@link #forWriter}. */
    void charset(@Nullable String name) {
        if (source != Source.WRITER) {
            charset = name == null ? null : ResponseFields.checked("Content-Type", name);
            source = name == null ? Source.NONE : Source.EXPLICIT;
        }
    }

    void locale(@Nullable Locale value) {
        locale = value;
        if (source.compareTo(Source.LOCALE) > 0) {
            return;
        }
        charset = value == null ? null : byLocale.apply(value);
        source = charset == null ? Source.NONE : Source.LOCALE;
    }

    Locale locale() {
        return locale == null ? Locale.getDefault() : locale;
    }

    /** The result of {@code getCharacterEncoding}. */
    String charset() {
        if (charset != null) {
            return charset;
        }
        return contextDefault != null ? contextDefault : LAST_RESORT;
    }

    /** Returns the charset for a writer. After this call the charset cannot change. */
    Charset forWriter() throws UnsupportedEncodingException {
        String name = charset();
        try {
            Charset found = Charset.forName(name);
            charset = name;
            source = Source.WRITER;
            return found;
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            UnsupportedEncodingException unsupported = new UnsupportedEncodingException(name);
            unsupported.initCause(e);
            throw unsupported;
        }
    }

    /** The result of {@code getContentType} and the value of the Content-Type field; null if the application has set no type. */
    @Nullable
    String contentType() {
        if (type == null || charset == null) {
            return type;
        }
        return type + ";charset=" + charset;
    }

    void clear() {
        type = null;
        charset = null;
        source = Source.NONE;
        locale = null;
    }
}
