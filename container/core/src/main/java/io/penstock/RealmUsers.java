package io.penstock;

import io.penstock.security.DigestAlgorithm;
import io.penstock.security.Users;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program's realm as the server sees it. Thread: workers. */
record RealmUsers(Realm realm) implements Users {

    @Override
    public @Nullable Account withPassword(String name, String password) throws Exception {
        return account(realm.authenticate(name, password));
    }

    @Override
    public @Nullable DigestAccount withDigest(String name, String realmName, DigestAlgorithm algorithm)
            throws Exception {
        Realm.DigestUser found = realm.digest(name, realmName, algorithm.id());
        return found == null
                ? null
                : new DigestAccount(
                        new Account(found.user().name(), found.user().roles()), found.secret());
    }

    @Override
    public @Nullable Account withCertificates(List<X509Certificate> chain) throws Exception {
        return account(realm.authenticate(chain));
    }

    private static @Nullable Account account(Realm.@Nullable User user) {
        return user == null ? null : new Account(user.name(), user.roles());
    }
}
