package io.penstock.session;

import java.security.SecureRandom;
import java.util.Base64;

/** Generates session ids: 192 random bits in 32 characters that need no escape in a cookie or a URL. Thread: any. */
final class SessionIds {
    private static final int BYTES = 24;

    /** The longest id that is looked up. Generated ids are shorter. */
    static final int MAX_LENGTH = 128;

    private final Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();

    /** Created with the first id, since the set-up of secure random numbers would delay the start of the server. */
    private static final class Source {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    String next() {
        byte[] bytes = new byte[BYTES];
        Source.RANDOM.nextBytes(bytes);
        return encoder.encodeToString(bytes);
    }
}
