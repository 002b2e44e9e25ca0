package io.penstock.limits;

import java.time.Duration;

/**
 * The source of users, and limits on logins.
 *
 * @param realmFile the file of users; {@code none} for none
 * @param realmDataSource the name of the data source with the users; {@code none} for none
 * @param failuresOfUser the number of failed logins with one user name after which the name is locked out; 0 for no limit
 * @param failuresOfAddress the number of failed logins from one address after which the address is locked out; 0 for no limit
 * @param lockout the duration of a lock-out
 * @param failuresKept the most names, and the most addresses, whose failures are remembered at one time
 * @param passwordChecks the most passwords that are checked at one time
 * @param formTimeout the time after which a session that was created for a login form expires if no user has logged in
 * @param savedRequest the largest body, in bytes, of a request that the server keeps until the user has logged in by a form; a larger
 *     request is answered 413
 * @param savedRequests the most bytes of all bodies together that the server keeps for one application
 * @param nonceTimeout the time for which a client may use a nonce of Digest authentication
 * @param nonces the most nonces of one application whose use counts are remembered at one time
 * @param digestSecret the common secret of servers that accept each other's nonces, or {@link #NO_SECRET}
 */
public record LoginLimits(
        String realmFile,
        String realmDataSource,
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

    /**
     * The minimum length of the secret. If the secret were shorter, an attacker with a nonce could find the secret by trying all secrets.
     */
    private static final int SHORTEST_SECRET = 32;

    public LoginLimits {
        Check.notBlank(Key.REALM_FILE, realmFile);
        Check.notBlank(Key.REALM_DATA_SOURCE, realmDataSource);
        Check.atLeast(Key.LOGIN_FAILURES_USER, failuresOfUser, 0);
        Check.atLeast(Key.LOGIN_FAILURES_ADDRESS, failuresOfAddress, 0);
        Check.positive(Key.LOGIN_LOCKOUT, lockout);
        Check.atLeast(Key.LOGIN_FAILURES_KEPT, failuresKept, 1);
        Check.atLeast(Key.PASSWORD_CHECKS, passwordChecks, 1);
        Check.positive(Key.FORM_LOGIN_TIMEOUT, formTimeout);
        Check.atLeast(Key.SAVED_REQUEST_LIMIT, savedRequest, 0);
        Check.atLeast(Key.SAVED_REQUESTS_BUDGET, savedRequests, 0);
        Check.positive(Key.DIGEST_NONCE_TIMEOUT, nonceTimeout);
        Check.atLeast(Key.DIGEST_NONCES, nonces, 1);
        if (!digestSecret.equals(NO_SECRET) && digestSecret.length() < SHORTEST_SECRET) {
            throw new BadValueException(Key.DIGEST_SECRET, "must have at least " + SHORTEST_SECRET + " characters");
        }
    }

    public static LoginLimits defaults() {
        return of(Configuration.defaults());
    }

    static LoginLimits of(Configuration given) {
        return new LoginLimits(
                given.text(Key.REALM_FILE),
                given.text(Key.REALM_DATA_SOURCE),
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
        return "LoginLimits[realmFile=" + realmFile + ", realmDataSource=" + realmDataSource + ", failuresOfUser="
                + failuresOfUser + ", failuresOfAddress=" + failuresOfAddress + ", lockout=" + lockout
                + ", failuresKept=" + failuresKept + ", passwordChecks=" + passwordChecks + ", formTimeout="
                + formTimeout + ", savedRequest=" + savedRequest + ", savedRequests=" + savedRequests
                + ", nonceTimeout=" + nonceTimeout + ", nonces=" + nonces + "]";
    }
}
