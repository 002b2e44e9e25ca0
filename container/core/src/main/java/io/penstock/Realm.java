package io.penstock;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a server's users are kept: what {@link Penstock.Builder#realm} takes. One realm serves all applications; which roles a user is in
 * is the realm's to say, and what a role may do is each application's.
 *
 * <p>The server bounds failed logins by name and by address before it asks the realm. What the realm throws fails the request, by 500, lets
 * nobody in, and is no failed login.
 *
 * <p>Thread: workers, several at once. A call may wait for a database or another server; its worker waits with it.
 */
@FunctionalInterface
public interface Realm {

    /**
     * The user of that name, if the password is right; null if not, or if there is no such user. It should take the same time in both
     * cases: {@link Passwords} helps.
     */
    @Nullable
    User authenticate(String name, String password) throws Exception;

    /**
     * What the Digest scheme needs: the user of that name with the hash of {@code name:realm:password}; null where there is none, as by
     * default: then nobody can log in by Digest.
     *
     * @param realm the name of the realm as the application declares it
     * @param algorithm {@code SHA-256} or {@code MD5}
     */
    default @Nullable DigestUser digest(String name, String realm, String algorithm) throws Exception {
        return null;
    }

    /** The user whom a client's certificates, its own first, belong to; null where there is none, as by default. */
    default @Nullable User authenticate(List<X509Certificate> chain) throws Exception {
        return null;
    }

    /** A user by name, and the roles that he is in. */
    record User(String name, Set<String> roles) {
        public User {
            roles = Set.copyOf(roles);
        }
    }

    /**
     * A user with the secret that Digest answers are computed with.
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
