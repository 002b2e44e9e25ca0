package io.penstock.sample.page;

import java.util.Arrays;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * Markup that is safe to send. Only {@link #of} converts text to markup, and this method escapes the text. So a
 * visitor's input can never become an element or a script.
 */
public record Html(String markup) {

    public static final Html NOTHING = new Html("");

    /**
     * Fills a template.
     *
     * @param template markup by the programmer, with {@code %s} as the place of a value
     * @param values the values; each value is escaped, except values of the type {@code Html}
     */
    public static Html of(String template, Object... values) {
        Object[] safe = Arrays.stream(values).map(Html::markupOf).toArray();
        return new Html(template.formatted(safe));
    }

    /** Concatenates pieces of markup. */
    public static Collector<Html, ?, Html> joining() {
        return Collectors.collectingAndThen(Collectors.mapping(Html::markup, Collectors.joining("\n")), Html::new);
    }

    private static String markupOf(Object value) {
        return value instanceof Html html ? html.markup : escape(String.valueOf(value));
    }

    /** Escapes text for element content, and for attribute values in single or double quotes. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
