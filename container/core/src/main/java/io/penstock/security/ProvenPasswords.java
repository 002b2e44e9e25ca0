package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Passwords that were right, the most recently used ones. Kept as keyed digests, by a key that only this process has.
 *
 * <p>Thread: any.
 */
final class ProvenPasswords {
    private static final int KEPT = 1000;
    private static final String HMAC = "HmacSHA256";

    private final SecretKeySpec key;

    @GuardedBy("this")
    private final Map<String, Boolean> proven = new LinkedHashMap<>(64, 0.75f, true);

    ProvenPasswords() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        key = new SecretKeySpec(bytes, HMAC);
    }

    /** What stands for these bytes here: a password, and what it is the password of. */
    String digest(byte[] bytes) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return Base64.getEncoder().encodeToString(mac.doFinal(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no " + HMAC, e);
        }
    }

    synchronized boolean contains(String digest) {
        return proven.get(digest) != null;
    }

    synchronized void add(String digest) {
        proven.put(digest, Boolean.TRUE);
        if (proven.size() > KEPT) {
            proven.remove(proven.keySet().iterator().next());
        }
    }

    synchronized void remove(String digest) {
        proven.remove(digest);
    }
}
