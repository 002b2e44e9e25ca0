package io.penstock.security;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who there is, and how each proves it. What an implementation throws lets nobody in and is no failed login.
 *
 * <p>Thread: workers, several at once.
 */
public interface Users {

    /** Nobody. */
    Users NONE = (name, password) -> null;

    /** The user of that name if the password is right; null if not, or if there is none, in the same time. */
    @Nullable
    Account withPassword(String name, String password) throws Exception;

    /**
     * The user of that name with the secret of the Digest scheme, in hexadecimal; null if there is none.
     *
     * @param realm the name of the realm as clients are told
     */
    default @Nullable DigestAccount withDigest(String name, String realm, DigestAlgorithm algorithm) throws Exception {
        return null;
    }

    /** The user whom these certificates, verified already, belong to, its own first; null if there is none. */
    default @Nullable Account withCertificates(List<X509Certificate> chain) throws Exception {
        return null;
    }

    /** A user and the roles he is in. */
    record Account(String name, Set<String> roles) {
        public Account {
            roles = Set.copyOf(roles);
        }
    }

    /** A user and what a Digest answer is computed with. */
    record DigestAccount(Account account, String secret) {
        @Override
        public String toString() {
            return account.name();
        }
    }
}
