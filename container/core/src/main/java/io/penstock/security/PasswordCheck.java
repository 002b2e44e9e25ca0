package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Compares passwords with hashes. A failure takes the same time whether there is such a user or not. A success is remembered, so that a
 * client who sends its password with each request, as Basic has it, costs one hash and not thousands: what is remembered is a keyed
 * digest of hash and password, by a key that only this process has, and so holds for exactly that hash and that password.
 *
 * <p>Thread: any.
 */
public final class PasswordCheck {
    private static final int REMEMBERED = 1000;
    private static final String HMAC = "HmacSHA256";

    private final SecretKeySpec key;

    /** Hashes that nobody has the password of, by their iterations. */
    private final Map<Integer, PasswordHash> nobodys = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private final Map<String, Boolean> succeeded = new LinkedHashMap<>(64, 0.75f, true);

    public PasswordCheck() {
        SecureRandom random = new SecureRandom();
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        key = new SecretKeySpec(bytes, HMAC);
    }

    /**
     * Whether the password is the one of the hash.
     *
     * @param kept null where there is no such user, or none with a password
     * @param iterations what comparing takes where there is none
     */
    public boolean matches(String password, @Nullable PasswordHash kept, int iterations) {
        if (kept == null) {
            nobodys.computeIfAbsent(iterations, PasswordCheck::nobodys).matches(password);
            return false;
        }
        String pair = digest(kept.with(password));
        if (isRemembered(pair)) {
            return true;
        }
        if (!kept.matches(password)) {
            return false;
        }
        remember(pair);
        return true;
    }

    private static PasswordHash nobodys(int iterations) {
        byte[] unknown = new byte[32];
        new SecureRandom().nextBytes(unknown);
        return PasswordHash.of(Base64.getEncoder().encodeToString(unknown), iterations);
    }

    private synchronized boolean isRemembered(String pair) {
        return succeeded.get(pair) != null;
    }

    private synchronized void remember(String pair) {
        succeeded.put(pair, Boolean.TRUE);
        if (succeeded.size() > REMEMBERED) {
            succeeded.remove(succeeded.keySet().iterator().next());
        }
    }

    private String digest(byte[] bytes) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return Base64.getEncoder().encodeToString(mac.doFinal(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no " + HMAC, e);
        }
    }
}
