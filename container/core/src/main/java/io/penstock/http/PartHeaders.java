package io.penstock.http;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header of one part of a form (RFC 7578 section 4). A client can send very many short lines. So the lines are kept as their bytes, and
 * found again by each call of {@link #fields}. Immutable.
 */
public final class PartHeaders {
    /** This object, and the header of its array. */
    private static final int OBJECTS = 48;

    private final byte[] lines;
    private final String name;
    private final @Nullable String fileName;

    /** @param lines the lines, each with CRLF at its end */
    private PartHeaders(byte[] lines) throws Violation {
        this.lines = lines;
        Fields fields = new Decoded(split(lines));
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
        String found = parameters.get("name");
        if (found == null) {
            throw new Violation(400, "part without a name");
        }
        String extended = parameters.get("filename*");
        name = found;
        fileName = extended == null ? parameters.get("filename") : extendedValue(extended);
    }

    /** Reads the header lines of a part, including the empty line at the end. */
    static PartHeaders parse(byte[] block, int length) throws Violation {
        return new PartHeaders(unfolded(block, length - 2));
    }

    /**
     * Copies the lines without their folds. A line that starts with white space continues the line before it (RFC 5322 section 2.2.3, which
     * MIME uses).
     */
    private static byte[] unfolded(byte[] block, int length) {
        byte[] lines = new byte[length];
        int kept = 0;
        for (int i = 0; i < length; i++) {
            boolean fold = block[i] == '\r' && i + 2 < length && (block[i + 2] == ' ' || block[i + 2] == '\t');
            if (fold) {
                i++;
            } else {
                lines[kept++] = block[i];
            }
        }
        return kept == length ? lines : Arrays.copyOf(lines, kept);
    }

    private static FieldLines split(byte[] lines) throws Violation {
        FieldLines fields = new FieldLines();
        int start = 0;
        for (int i = 0; i < lines.length; i++) {
            if (lines[i] == '\r') {
                fields.add(lines, start, i);
                start = i + 2;
            }
        }
        fields.over(lines);
        return fields;
    }

    /** The name of the form's field. */
    public String name() {
        return name;
    }

    /**
     * The file name as the client has sent it; null for a field without a file. The name may be empty, and must not be trusted as a path.
     */
    public @Nullable String fileName() {
        return fileName;
    }

    /** The media type that the part declares, or null. */
    public @Nullable String contentType() {
        return fields().first("Content-Type");
    }

    /** All header lines of the part. A value is decoded as UTF-8 if it is valid UTF-8. */
    public Fields fields() {
        try {
            return new Decoded(split(lines));
        } catch (Violation impossible) {
            throw new IllegalStateException("the constructor has read the same lines", impossible);
        }
    }

    /** The size of this object in the heap. */
    public long bytes() {
        return OBJECTS + lines.length + ParsedBytes.of(name) + (fileName == null ? 0 : ParsedBytes.of(fileName));
    }

    /** Field lines whose values may be UTF-8. */
    private record Decoded(FieldLines octets) implements Fields {
        @Override
        public int size() {
            return octets.size();
        }

        @Override
        public String name(int index) {
            return octets.name(index);
        }

        @Override
        public String value(int index) {
            return Utf8.orLatin1(octets.value(index));
        }

        @Override
        public boolean isNamed(int index, String name) {
            return octets.isNamed(index, name);
        }
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
        return PercentDecoding.decode(value, second + 1, value.length(), charset);
    }
}
