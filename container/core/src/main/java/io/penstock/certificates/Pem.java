package io.penstock.certificates;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One block of a PEM file (RFC 7468). */
final class Pem {
    private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([^-]+)-----");
    /** The byte order mark of UTF-8, decoded as ISO-8859-1. Some editors write this mark at the beginning of a file. */
    private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";

    private static final Pattern HEADER = Pattern.compile("[A-Za-z-]+:.*");

    private final String label;
    private final boolean encrypted;
    private final byte[] content;

    private Pem(String label, boolean encrypted, byte[] content) {
        this.label = label;
        this.encrypted = encrypted;
        this.content = content;
    }

    /** The label of the block, such as {@code CERTIFICATE}. */
    String label() {
        return label;
    }

    /** Whether the block is encrypted in the old format of OpenSSL. A header line of the block indicates this encryption (RFC 1421). */
    boolean isEncrypted() {
        return encrypted;
    }

    /** The decoded bytes of the block. */
    byte[] content() {
        return content;
    }

    /** The lines of a block before its end line. */
    private static final class Draft {
        final String label;
        final int line;
        final StringBuilder base64 = new StringBuilder();
        final List<String> headers = new ArrayList<>();

        Draft(String label, int line) {
            this.label = label;
            this.line = line;
        }

        void add(String text) {
            if (HEADER.matcher(text).matches()) {
                headers.add(text);
            } else {
                base64.append(text);
            }
        }
    }

    /**
     * Reads the blocks of a file, in the order of the file. Text outside the blocks is ignored.
     *
     * @throws TlsSetupException if the file is not a PEM file or a block is damaged. The message of the exception names the line
     */
    static List<Pem> parse(Path file, byte[] bytes) throws TlsSetupException {
        List<Pem> blocks = new ArrayList<>();
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String[] lines = text.substring(text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0)
                .split("\r\n|\r|\n", -1);
        Draft draft = null;
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            Matcher begin = BEGIN.matcher(line);
            if (draft == null) {
                draft = begin.matches() ? new Draft(begin.group(1), i + 1) : null;
            } else if (line.equals("-----END " + draft.label + "-----")) {
                blocks.add(block(file, draft));
                draft = null;
            } else if (line.startsWith("-----")) {
                throw unended(file, draft);
            } else {
                draft.add(line);
            }
        }
        if (draft != null) {
            throw unended(file, draft);
        }
        if (blocks.isEmpty()) {
            throw TlsSetupException.of(file, "is not a PEM file: it has no line -----BEGIN ...-----");
        }
        return blocks;
    }

    private static Pem block(Path file, Draft draft) throws TlsSetupException {
        boolean encrypted = draft.headers.stream().anyMatch(header -> header.startsWith("DEK-Info:"));
        try {
            return new Pem(draft.label, encrypted, Base64.getDecoder().decode(draft.base64.toString()));
        } catch (IllegalArgumentException e) {
            throw TlsSetupException.of(
                    file, "the " + draft.label + " that begins at line " + draft.line + " is not Base64", e);
        }
    }

    private static TlsSetupException unended(Path file, Draft draft) {
        return TlsSetupException.of(
                file, "the " + draft.label + " that begins at line " + draft.line + " has no END line");
    }
}
