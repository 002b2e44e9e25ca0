package io.penstock.acme;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes and reads blocks in PEM format: base64 text between two lines with a label (RFC 7468). */
final class Pem {
    static final String CERTIFICATE = "CERTIFICATE";
    static final String PRIVATE_KEY = "PRIVATE KEY";
    static final String PUBLIC_KEY = "PUBLIC KEY";

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private Pem() {}

    static String block(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + LINES.encodeToString(content) + "\n-----END " + label + "-----\n";
    }

    /** Returns the content of the first block with the given label. Returns null if no block has this label, or if the block is damaged. */
    static byte @Nullable [] find(String label, String text) {
        Matcher block = Pattern.compile("-----BEGIN " + label + "-----([A-Za-z0-9+/=\\s]*)-----END " + label + "-----")
                .matcher(text);
        try {
            return block.find() ? Base64.getMimeDecoder().decode(block.group(1)) : null;
        } catch (IllegalArgumentException e) {
            return null; // the base64 text is damaged
        }
    }
}
