package io.penstock.http;

/** What may stand in a field name and a field value (RFC 9110 sections 5.1, 5.5 and 5.6.2). */
public final class FieldSyntax {
    private static final boolean[] TCHAR = new boolean[128];

    static {
        for (char c = '0'; c <= '9'; c++) {
            TCHAR[c] = true;
        }
        for (char c = 'a'; c <= 'z'; c++) {
            TCHAR[c] = true;
        }
        for (char c = 'A'; c <= 'Z'; c++) {
            TCHAR[c] = true;
        }
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
            TCHAR[c] = true;
        }
    }

    private FieldSyntax() {}

    /** Whether {@code c} (a char or an unsigned byte) may stand in a token. */
    public static boolean isTokenChar(int c) {
        return c >= 0 && c < 128 && TCHAR[c];
    }

    public static boolean isToken(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isTokenChar(text.charAt(i))) {
                return false;
            }
        }
        return text.length() > 0;
    }

    /** Whether {@code c} (a char or an unsigned byte) may stand in a field value: HTAB, SP, VCHAR or obs-text. */
    public static boolean isValueChar(int c) {
        return c == '\t' || (c >= ' ' && c != 127 && c <= 255);
    }

    public static boolean isValue(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isValueChar(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
