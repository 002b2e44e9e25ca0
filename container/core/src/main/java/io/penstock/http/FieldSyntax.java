package io.penstock.http;

/** The syntax of field names and field values (RFC 9110 sections 5.1, 5.5 and 5.6.2). */
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

    public static boolean isToken(CharSequence text) {
        return text.length() > 0 && tokenEnd(text, 0) == text.length();
    }

    /** The index of the end of the token that begins at {@code start}. If no token begins at {@code start}, the result is {@code start}. */
    public static int tokenEnd(CharSequence text, int start) {
        int i = start;
        while (i < text.length() && isTokenChar(text.charAt(i))) {
            i++;
        }
        return i;
    }

    /** Does the same as {@link #tokenEnd(CharSequence, int)}, for the bytes before {@code end}. */
    static int tokenEnd(byte[] in, int start, int end) {
        int i = start;
        while (i < end && isTokenChar(in[i])) {
            i++;
        }
        return i;
    }

    private static boolean isTokenChar(int c) {
        return c >= 0 && c < 128 && TCHAR[c];
    }

    /** Whether a field value may contain {@code c} (a char or an unsigned byte): HTAB, SP, VCHAR or obs-text. */
    public static boolean isValueChar(int c) {
        return c == '\t' || (c >= ' ' && c != 127 && c <= 255);
    }

    /** Whether {@code c} is a white space character that is allowed around values and elements (RFC 9110 section 5.6.3). */
    static boolean isBlank(int c) {
        return c == ' ' || c == '\t';
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
