package io.penstock.acme;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Blocks of base64 between lines with a label (RFC 7468). */
final class Pem {
    static final String CERTIFICATE = "CERTIFICATE";
    static final String PRIVATE_KEY = "PRIVATE KEY";
    static final String PUBLIC_KEY = "PUBLIC KEY";

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private Pem() {}

    static String block(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + LINES.encodeToString(content) + "\n-----END " + label + "-----\n";
    }

    /** The content of the first block with this label; null if there is none that can be read. */
    static byte @Nullable [] find(String label, String text) {
        Matcher block = Pattern.compile("-----BEGIN " + label + "-----([A-Za-z0-9+/=\\s]*)-----END " + label + "-----")
                .matcher(text);
        try {
            return block.find() ? Base64.getMimeDecoder().decode(block.group(1)) : null;
        } catch (IllegalArgumentException e) {
            return null; // damaged: for example, its last line is missing
        }
    }
}
