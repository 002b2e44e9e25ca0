package io.penstock.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A media type (RFC 9110 section 8.3.1).
 *
 * @param type the type in lower case
 * @param subtype the subtype in lower case
 * @param parameters the parameters, with names in lower case and values without quotes. If a name occurs twice, the first value counts
 */
public record MediaType(String type, String subtype, Map<String, String> parameters) {

    public MediaType {
        parameters = parameters.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** Parses a media type. Returns null if {@code value} is null or malformed. A malformed parameter ends the list of parameters. */
    public static @Nullable MediaType parse(@Nullable String value) {
        if (value == null) {
            return null;
        }
        int semicolon = value.indexOf(';');
        String essence = (semicolon < 0 ? value : value.substring(0, semicolon)).strip();
        int slash = essence.indexOf('/');
        if (slash < 0) {
            return null;
        }
        String type = essence.substring(0, slash);
        String subtype = essence.substring(slash + 1);
        if (!FieldSyntax.isToken(type) || !FieldSyntax.isToken(subtype)) {
            return null;
        }
        Map<String, String> parameters = Map.of();
        if (semicolon >= 0) {
            parameters = new FieldParameters(value, semicolon, FieldParameters.Escapes.ALL).read();
        }
        return new MediaType(type.toLowerCase(Locale.ROOT), subtype.toLowerCase(Locale.ROOT), parameters);
    }

    /** Whether type and subtype are {@code essence}, for example {@code multipart/form-data}. Parameters are ignored. */
    public boolean is(String essence) {
        return essence().equals(essence);
    }

    /** Type and subtype without parameters. */
    public String essence() {
        return type + '/' + subtype;
    }

    /** The charset parameter, or null. The charset need not exist. */
    public @Nullable String charset() {
        return parameters.get("charset");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(essence());
        parameters.forEach((name, value) -> {
            text.append(';').append(name).append('=');
            text.append(FieldSyntax.isToken(value) ? value : QuotedString.quote(value));
        });
        return text.toString();
    }
}
