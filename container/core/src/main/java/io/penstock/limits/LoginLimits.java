package io.penstock.limits;

import java.time.Duration;

/**
 * The source of users, and limits on logins. {@link Key} explains the values.
 *
 * @param digestSecret the common secret of servers that accept each other's nonces, or {@link #NO_SECRET}
 */
public record LoginLimits(
        String realmFile,
        String realmDataSource,
        Ldap ldap,
        int failuresOfUser,
        int failuresOfAddress,
        Duration lockout,
        int failuresKept,
        int passwordChecks,
        Duration formTimeout,
        int savedRequest,
        long savedRequests,
        Duration nonceTimeout,
        int nonces,
        String digestSecret) {
    static final String NO_SECRET = "none";

    private static final String NO_REALM = "none";
    private static final String ONE_REALM = " are both set: only one is allowed";

    /**
     * The minimum length of the secret. If the secret were shorter, an attacker with a nonce could find the secret by trying all secrets.
     */
    private static final int SHORTEST_SECRET = 32;

    public LoginLimits {
        if (ldap.isOn() && !realmFile.equals(NO_REALM)) {
            throw new BadValueException(Key.REALM_LDAP_URL, "and " + Key.REALM_FILE.id() + ONE_REALM);
        }
        if (ldap.isOn() && !realmDataSource.equals(NO_REALM)) {
            throw new BadValueException(Key.REALM_LDAP_URL, "and " + Key.REALM_DATA_SOURCE.id() + ONE_REALM);
        }
        if (!digestSecret.equals(NO_SECRET) && digestSecret.length() < SHORTEST_SECRET) {
            throw new BadValueException(Key.DIGEST_SECRET, "must have at least " + SHORTEST_SECRET + " characters");
        }
    }

    static LoginLimits of(Configuration given) {
        return new LoginLimits(
                given.text(Key.REALM_FILE),
                given.text(Key.REALM_DATA_SOURCE),
                Ldap.of(given),
                given.number(Key.LOGIN_FAILURES_USER),
                given.number(Key.LOGIN_FAILURES_ADDRESS),
                given.duration(Key.LOGIN_LOCKOUT),
                given.number(Key.LOGIN_FAILURES_KEPT),
                given.number(Key.PASSWORD_CHECKS),
                given.duration(Key.FORM_LOGIN_TIMEOUT),
                given.bufferBytes(Key.SAVED_REQUEST_LIMIT),
                given.bytes(Key.SAVED_REQUESTS_BUDGET),
                given.duration(Key.DIGEST_NONCE_TIMEOUT),
                given.number(Key.DIGEST_NONCES),
                given.text(Key.DIGEST_SECRET));
    }

    /** Whether other servers accept the nonces of this server. */
    public boolean sharesNonces() {
        return !digestSecret.equals(NO_SECRET);
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "LoginLimits[realmFile=" + realmFile + ", realmDataSource=" + realmDataSource + ", ldap=" + ldap
                + ", failuresOfUser=" + failuresOfUser + ", failuresOfAddress=" + failuresOfAddress + ", lockout="
                + lockout
                + ", failuresKept=" + failuresKept + ", passwordChecks=" + passwordChecks + ", formTimeout="
                + formTimeout + ", savedRequest=" + savedRequest + ", savedRequests=" + savedRequests
                + ", nonceTimeout=" + nonceTimeout + ", nonces=" + nonces + "]";
    }
}
