package io.penstock.realm;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The users of a server, for {@link io.penstock.Penstock.Builder#realm}. One realm serves all applications. The realm defines the roles of
 * a user. Each application defines the rights of a role.
 *
 * <p>The server limits failed logins by name and by address before it calls the realm. If the realm throws an exception, the request fails
 * with status 500. In this case, the user is not logged in, and no failed login is counted.
 *
 * <p>Thread: workers, several at once. A call may wait for a database or another server. During the wait, the worker is occupied.
 */
@FunctionalInterface
public interface Realm {

    /** A realm without users. */
    Realm NONE = (name, password) -> null;

    /**
     * Returns the user of this name if the password is right; null if the password is wrong or the user does not exist. A wrong password
     * and an unknown user should take the same time. {@link Passwords} helps to achieve this.
     */
    @Nullable
    User authenticate(String name, String password) throws Exception;

    /**
     * Whether {@link #authenticate} accepts this name and password at once, without a call of another server. The server asks for a password
     * that was right before. If the answer is false, the login counts for {@code password-checks}, so that a slow server does not occupy more
     * workers. The default implementation returns true. Thread: workers; the method must not wait.
     */
    default boolean remembers(String name, String password) {
        return true;
    }

    /**
     * Returns the user of this name, with the secret of the Digest scheme. The secret is the hash of {@code name:realm:password} (RFC 7616
     * section 3.4.2). Null if the user does not exist or has no secret. The default implementation returns null, so users cannot log in
     * with Digest.
     *
     * @param realm the name of the realm as the application declares it
     * @param algorithm the hash algorithm: {@code SHA-256} or {@code MD5}
     */
    default @Nullable DigestUser digest(String name, String realm, String algorithm) throws Exception {
        return null;
    }

    /**
     * Returns the user of a client's certificates, or null if the certificates identify no user. TLS has already verified the certificates.
     * The default implementation returns null.
     *
     * @param chain the chain of certificates, the client's own certificate first; not empty
     */
    default @Nullable User authenticate(List<X509Certificate> chain) throws Exception {
        return null;
    }

    /** A user's name and roles. */
    record User(String name, Set<String> roles) {
        public User {
            roles = Set.copyOf(roles);
        }
    }

    /**
     * A user with the secret of the Digest scheme.
     *
     * @param secret the secret in hexadecimal
     */
    record DigestUser(User user, String secret) {
        @Override
        public String toString() {
            return user.name();
        }
    }
}
