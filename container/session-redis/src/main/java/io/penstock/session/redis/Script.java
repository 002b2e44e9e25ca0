package io.penstock.session.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The Lua scripts. Redis runs each script as one atomic step. A reply can be lost, so each script can be repeated without harm. */
enum Script {
    LOAD("known", "common", ""),
    SAVE("replace", "common", ""),
    TOUCH,
    DELETE,
    EXPIRED,
    DELETE_EXPIRED,
    // The next scripts are the steps of an id change in a cluster.
    COPY,
    ARRIVE,
    LEAVE,
    SETTLE;

    private final byte[] text;
    private final byte[] digest;

    Script() {
        this("common", "");
    }

    /** @param parts the names of the resources that are concatenated; an empty name means the resource with the name of the constant */
    Script(String... parts) {
        StringBuilder all = new StringBuilder();
        for (String part : parts) {
            all.append(resource(part.isEmpty() ? name().toLowerCase(Locale.ROOT).replace('_', '-') : part));
        }
        text = all.toString().getBytes(StandardCharsets.UTF_8);
        try {
            byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(text);
            digest = HexFormat.of().formatHex(sha1).getBytes(StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("the script " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] text() {
        return text;
    }

    /** The digest of the script. If Redis has run the script before, it finds the script by this digest. */
    byte[] digest() {
        return digest;
    }
}
