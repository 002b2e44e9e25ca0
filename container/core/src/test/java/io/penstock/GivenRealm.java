package io.penstock;

import io.penstock.realm.Realm;
import io.penstock.security.DigestAlgorithm;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A realm for tests. It stores plain-text passwords, and counts the calls of its methods. */
final class GivenRealm implements Realm {
    private final Map<String, String> passwords = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> roles = new ConcurrentHashMap<>();
    private final AtomicInteger callCount = new AtomicInteger();

    /** Returns a realm with Ann in the role staff and Bob in the role guest. */
    static GivenRealm annAndBob() {
        return new GivenRealm().with("ann", "secret", "staff").with("bob", "other", "guest");
    }

    GivenRealm with(String name, String password, String... itsRoles) {
        passwords.put(name, password);
        roles.put(name, Set.of(itsRoles));
        return this;
    }

    int calls() {
        return callCount.get();
    }

    @Override
    public @Nullable User authenticate(String name, String password) {
        callCount.incrementAndGet();
        return password.equals(passwords.get(name)) ? user(name) : null;
    }

    @Override
    public @Nullable DigestUser digest(String name, String realm, String algorithm) {
        callCount.incrementAndGet();
        String password = passwords.get(name);
        if (password == null) {
            return null;
        }
        DigestAlgorithm hash = algorithm.equals("MD5") ? DigestAlgorithm.MD5 : DigestAlgorithm.SHA_256;
        return new DigestUser(user(name), hash.secret(name, realm, password));
    }

    private User user(String name) {
        return new User(name, roles.getOrDefault(name, Set.of()));
    }
}
