package io.penstock.http;

/** Writes a quoted-string (RFC 9110 section 5.6.4). */
public final class QuotedString {
    private QuotedString() {}

    /**
     * Quotes {@code text}, with escapes where they are needed.
     *
     * @throws IllegalArgumentException if {@code text} has a character that a field value cannot have, such as a line end
     */
    public static String quote(String text) {
        if (!FieldSyntax.isValue(text)) {
            throw new IllegalArgumentException("text with a character that a field value cannot have");
        }
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(c);
        }
        return quoted.append('"').toString();
    }
}
