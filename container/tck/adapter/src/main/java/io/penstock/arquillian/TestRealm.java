package io.penstock.arquillian;

import io.penstock.realm.Realm;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A realm with the users of {@code arquillian.xml}. Thread: workers. */
record TestRealm(List<TestUser> users) implements Realm {

    TestRealm {
        users = List.copyOf(users);
    }

    @Override
    public @Nullable User authenticate(String name, String password) {
        return named(name)
                .filter(user -> !user.password().isEmpty())
                .filter(user -> MessageDigest.isEqual(bytes(user.password()), bytes(password)))
                .map(TestRealm::known)
                .orElse(null);
    }

    @Override
    public @Nullable DigestUser digest(String name, String realm, String algorithm) throws NoSuchAlgorithmException {
        TestUser user = named(name).orElse(null);
        if (user == null || user.password().isEmpty()) {
            return null;
        }
        byte[] secret = MessageDigest.getInstance(algorithm).digest(bytes(name + ":" + realm + ":" + user.password()));
        return new DigestUser(known(user), HexFormat.of().formatHex(secret));
    }

    /** Finds the user of a certificate. The name of the user must be the subject of the certificate, such as {@code CN=Ann, O=Shop}. */
    @Override
    public @Nullable User authenticate(List<X509Certificate> chain) {
        return named(chain.get(0).getSubjectX500Principal().toString())
                .map(TestRealm::known)
                .orElse(null);
    }

    private Optional<TestUser> named(String name) {
        return users.stream().filter(user -> user.name().equals(name)).findFirst();
    }

    private static User known(TestUser user) {
        return new User(user.name(), user.roles());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
