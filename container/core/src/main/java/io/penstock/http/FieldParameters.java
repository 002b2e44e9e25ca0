package io.penstock.http;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Parses the {@code ;name=value} list behind a field value (RFC 9110 section 5.6.6). An object parses one list. */
final class FieldParameters {

    /** The characters that a backslash escapes in a quoted value. */
    enum Escapes {
        /** Each character after a backslash, as in the grammar. */
        ALL,
        /** Only a quote or a backslash, because some clients do not escape the backslashes of Windows paths. */
        QUOTE_AND_BACKSLASH
    }

    private final String text;
    private final Escapes escapes;
    private int at;

    /** @param start the position of the first semicolon */
    FieldParameters(String text, int start, Escapes escapes) {
        this.text = text;
        this.escapes = escapes;
        this.at = start;
    }

    /**
     * Reads the parameters. The names are in lower case. If a name occurs twice, the first value counts. A malformed parameter ends the
     * list.
     */
    Map<String, String> read() {
        Map<String, String> parameters = new LinkedHashMap<>(4);
        while (skip(';')) {
            int start = at;
            at = FieldSyntax.tokenEnd(text, start);
            String name = text.substring(start, at).toLowerCase(Locale.ROOT);
            if (name.isEmpty()) {
                continue;
            }
            if (!skip('=')) {
                break;
            }
            parameters.putIfAbsent(name, value());
        }
        return parameters;
    }

    private boolean skip(char wanted) {
        skipSpace();
        if (at == text.length() || text.charAt(at) != wanted) {
            return false;
        }
        at++;
        skipSpace();
        return true;
    }

    private void skipSpace() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }

    private String value() {
        if (at < text.length() && text.charAt(at) == '"') {
            return quoted();
        }
        int start = at;
        while (at < text.length() && text.charAt(at) != ';') {
            at++;
        }
        return text.substring(start, at).strip();
    }

    private String quoted() {
        StringBuilder value = new StringBuilder();
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\' && at + 1 < text.length() && isEscapable(text.charAt(at + 1))) {
                at++;
            }
            value.append(text.charAt(at++));
        }
        at = Math.min(at + 1, text.length());
        return value.toString();
    }

    private boolean isEscapable(char c) {
        return escapes == Escapes.ALL || c == '"' || c == '\\';
    }
}
