package io.penstock.realm;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The users of a server, for {@link io.penstock.Penstock.Builder#realm}. One realm serves all applications. The realm defines the roles of
 * a user, and each application the rights of a role.
 *
 * <p>The server limits failed logins by name and by address before it calls the realm. An exception of the realm fails the request with
 * 500; the user is not logged in, and no failed login is counted.
 *
 * <p>Thread: workers, several at once. A call may wait for a database or another server; meanwhile its worker is occupied.
 */
@FunctionalInterface
public interface Realm {

    /** A realm without users. */
    Realm NONE = (name, password) -> null;

    /**
     * The user of that name if the password is right; null if the password is wrong or the user does not exist. Both cases should take the
     * same time; {@link Passwords} helps.
     */
    @Nullable
    User authenticate(String name, String password) throws Exception;

    /**
     * The user of that name with the secret of the Digest scheme (RFC 7616 section 3.4.2), which is the hash of {@code
     * name:realm:password}; null if there is no such user or secret. The default implementation returns null, so users cannot log in with
     * Digest.
     *
     * @param realm the name of the realm as the application declares it
     * @param algorithm {@code SHA-256} or {@code MD5}
     */
    default @Nullable DigestUser digest(String name, String realm, String algorithm) throws Exception {
        return null;
    }

    /**
     * Returns the user of a client's certificates, or null if they identify no user. TLS has verified the certificates. The default
     * implementation returns null.
     *
     * @param chain the client's own certificate first; not empty
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
     * @param secret in hexadecimal
     */
    record DigestUser(User user, String secret) {
        @Override
        public String toString() {
            return user.name();
        }
    }
}
