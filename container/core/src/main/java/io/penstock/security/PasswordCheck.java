package io.penstock.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares passwords with hashes. A failure takes the same time whether there is such a user or not. A success is remembered, so that a
 * client who sends its password with each request, as Basic has it, costs one hash and not thousands: what is remembered is a keyed
 * digest of hash and password, by a key that only this process has, and so holds for exactly that hash and that password.
 *
 * <p>Thread: any.
 */
public final class PasswordCheck {
    private final ProvenPasswords proven = new ProvenPasswords();

    /** Hashes that nobody has the password of, by their iterations. */
    private final Map<Integer, PasswordHash> nobodys = new ConcurrentHashMap<>();

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
        String proof = proven.digest(kept.with(password));
        if (proven.contains(proof)) {
            return true;
        }
        if (!kept.matches(password)) {
            return false;
        }
        proven.add(proof);
        return true;
    }

    private static PasswordHash nobodys(int iterations) {
        byte[] unknown = new byte[32];
        new SecureRandom().nextBytes(unknown);
        return PasswordHash.of(Base64.getEncoder().encodeToString(unknown), iterations);
    }
}
