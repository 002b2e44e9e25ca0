package io.penstock.realm;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Passwords that were right, the 1,000 most recently used ones, for realms that take long to check one. No password is kept: an entry
 * is a digest (HMAC-SHA-256) of the password and its owner, by a key that only this object has.
 *
 * <p>The owner says what the password was right for. It should change with the password, as its hash does. Where it is only a name, the
 * realm removes the entry when it hears that the password is wrong now.
 *
 * <p>Thread: any.
 */
public final class ProvenPasswords {
    private static final int KEPT = 1000;
    private static final String HMAC = "HmacSHA256";

    private final SecretKeySpec key;

    @GuardedBy("this")
    private final Map<String, Boolean> proven = new LinkedHashMap<>(64, 0.75f, true);

    /** Remembers nothing yet. */
    public ProvenPasswords() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        key = new SecretKeySpec(bytes, HMAC);
    }

    /** Whether the password was right for this owner. */
    public boolean contains(String owner, String password) {
        String digest = digest(owner, password);
        synchronized (this) {
            return proven.get(digest) != null;
        }
    }

    /** The password is right for this owner. */
    public void add(String owner, String password) {
        String digest = digest(owner, password);
        synchronized (this) {
            proven.put(digest, Boolean.TRUE);
            if (proven.size() > KEPT) {
                proven.remove(proven.keySet().iterator().next());
            }
        }
    }

    /** The password is not right for this owner any more. */
    public void remove(String owner, String password) {
        String digest = digest(owner, password);
        synchronized (this) {
            proven.remove(digest);
        }
    }

    /** The length tells where the owner ends: no two pairs are one text. */
    private String digest(String owner, String password) {
        String both = owner.length() + ":" + owner + password;
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return Base64.getEncoder().encodeToString(mac.doFinal(both.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no " + HMAC, e);
        }
    }
}
