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
import org.jspecify.annotations.Nullable;

/**
 * Remembers the 1,000 correct passwords that were used most recently. A realm uses this class if its check of a password takes long. The
 * passwords themselves are not stored. An entry is a digest (HMAC-SHA-256) of the password and its owner, with a key that only this object
 * has.
 *
 * <p>The owner is a text that identifies the user and the current password, such as the stored hash. The owner text should change when the
 * password changes. If the owner is only a user name, the realm must remove the entry when the password has changed.
 *
 * <p>Thread: any.
 */
public final class ProvenPasswords {
    private static final int KEPT = 1000;
    private static final String HMAC = "HmacSHA256";

    /** The key is created at the first use, because the creation of secure random numbers would delay the start of the server. */
    @GuardedBy("this")
    private @Nullable SecretKeySpec key;

    @GuardedBy("this")
    private final Map<String, Boolean> proven = new LinkedHashMap<>(64, 0.75f, true);

    /** Creates an object without remembered passwords. */
    public ProvenPasswords() {
        // no settings
    }

    private synchronized SecretKeySpec key() {
        if (key == null) {
            byte[] bytes = new byte[32];
            new SecureRandom().nextBytes(bytes);
            key = new SecretKeySpec(bytes, HMAC);
        }
        return key;
    }

    /** Whether the password was correct for this owner. */
    public boolean contains(String owner, String password) {
        String digest = digest(owner, password);
        synchronized (this) {
            return proven.get(digest) != null;
        }
    }

    /** Remembers that the password is correct for this owner. */
    public void add(String owner, String password) {
        String digest = digest(owner, password);
        synchronized (this) {
            proven.put(digest, Boolean.TRUE);
            if (proven.size() > KEPT) {
                proven.remove(proven.keySet().iterator().next());
            }
        }
    }

    /** Forgets that the password was correct for this owner. */
    public void remove(String owner, String password) {
        String digest = digest(owner, password);
        synchronized (this) {
            proven.remove(digest);
        }
    }

    /**
     * The digest of a pair of owner and password. The hashed text begins with the length of the owner, so that two different pairs never
     * have the same text.
     */
    private String digest(String owner, String password) {
        String both = owner.length() + ":" + owner + password;
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key());
            return Base64.getEncoder().encodeToString(mac.doFinal(both.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no " + HMAC, e);
        }
    }
}
