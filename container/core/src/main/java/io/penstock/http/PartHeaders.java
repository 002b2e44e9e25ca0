package io.penstock.http;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header of one part of a form (RFC 7578 section 4).
 *
 * @param name the name of the form's field
 * @param fileName the file name as the client has sent it; null for a field without a file. The name may be empty, and must not be trusted
 *     as a path
 * @param fields all header lines of the part, decoded as UTF-8 if they are valid UTF-8
 */
public record PartHeaders(String name, @Nullable String fileName, Fields fields) {

    /** The media type that the part declares, or null. */
    public @Nullable String contentType() {
        return fields.first("Content-Type");
    }

    /** Reads the header lines of a part, including the empty line at the end. */
    static PartHeaders parse(byte[] block, int length) throws Violation {
        FieldList fields = new FieldList();
        String text = Utf8.orLatin1(block, 0, length);
        int start = 0;
        while (start < text.length() - 2) {
            int end = endOfFoldedLine(text, start);
            addLine(fields, text, start, end);
            start = end + 2;
        }
        return of(fields);
    }

    /**
     * Returns the end of a line. A line that starts with white space continues the line before it (RFC 5322 section 2.2.3, which MIME
     * uses).
     */
    private static int endOfFoldedLine(String text, int start) {
        int end = text.indexOf("\r\n", start);
        while (text.charAt(end + 2) == ' ' || text.charAt(end + 2) == '\t') {
            end = text.indexOf("\r\n", end + 2);
        }
        return end;
    }

    private static void addLine(FieldList fields, String text, int start, int end) throws Violation {
        int colon = text.indexOf(':', start);
        if (colon < 0 || colon > end || !FieldSyntax.isToken(text.substring(start, colon))) {
            throw new Violation(400, "malformed header line in a part");
        }
        String value = text.substring(colon + 1, end).replace("\r\n", "").strip();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7F) {
                throw new Violation(400, "control character in the header of a part");
            }
        }
        fields.add(text.substring(start, colon), value);
    }

    private static PartHeaders of(FieldList fields) throws Violation {
        String disposition = fields.first("Content-Disposition");
        if (disposition == null) {
            throw new Violation(400, "part without Content-Disposition");
        }
        int semicolon = disposition.indexOf(';');
        String type = (semicolon < 0 ? disposition : disposition.substring(0, semicolon)).strip();
        if (!type.equalsIgnoreCase("form-data") || semicolon < 0) {
            throw new Violation(400, "part that is not form-data with a name");
        }
        Map<String, String> parameters =
                new FieldParameters(disposition, semicolon, FieldParameters.Escapes.QUOTE_AND_BACKSLASH).read();
        String name = parameters.get("name");
        if (name == null) {
            throw new Violation(400, "part without a name");
        }
        String extended = parameters.get("filename*");
        String fileName = extended == null ? parameters.get("filename") : extendedValue(extended);
        return new PartHeaders(name, fileName, fields);
    }

    /**
     * Decodes an ext-value (RFC 8187 section 3.2). It consists of a charset, a language and a percent-encoded text, with apostrophes
     * between them.
     */
    private static String extendedValue(String value) throws Violation {
        int first = value.indexOf('\'');
        int second = value.indexOf('\'', first + 1);
        if (first < 0 || second < 0) {
            throw new Violation(400, "malformed filename*");
        }
        Charset charset =
                switch (value.substring(0, first).toLowerCase(Locale.ROOT)) {
                    case "utf-8" -> StandardCharsets.UTF_8;
                    case "iso-8859-1" -> StandardCharsets.ISO_8859_1;
                    default -> throw new Violation(400, "filename* in an unknown charset");
                };
        return PercentDecoding.decode(value, second + 1, value.length(), charset, PercentDecoding.Plus.LITERAL);
    }
}
