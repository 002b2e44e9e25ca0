package io.penstock.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The field {@code Accept} (RFC 9110 section 12.5.1). */
public final class Accept {
    private static final Pattern REFUSED = Pattern.compile(";\\s*q=0(\\.0*)?\\s*(;|$)");

    private Accept() {}

    /** The media types that these lines name, in lower case and without parameters. A type of weight 0 is left out. */
    public static List<String> types(Collection<String> lines) {
        List<String> types = new ArrayList<>();
        for (String line : lines) {
            for (String range : line.toLowerCase(Locale.ROOT).split(",")) {
                int semicolon = range.indexOf(';');
                String type = (semicolon < 0 ? range : range.substring(0, semicolon)).strip();
                if (!type.isEmpty() && !REFUSED.matcher(range).find()) {
                    types.add(type);
                }
            }
        }
        return types;
    }
}
