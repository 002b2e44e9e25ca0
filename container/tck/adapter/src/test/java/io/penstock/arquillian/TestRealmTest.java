package io.penstock.arquillian;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.realm.Realm;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which users can log in. */
class TestRealmTest {
    private final TestRealm realm = new TestRealm(
            List.of(new TestUser("ann", "secret", Set.of("clerk")), new TestUser("CN=bob", "", Set.of("clerk"))));

    @Test
    void onlyAKnownUserWithTheCorrectPasswordCanLogIn() {
        assertEquals(new Realm.User("ann", Set.of("clerk")), realm.authenticate("ann", "secret"));
        assertNull(realm.authenticate("ann", "guess"));
        assertNull(realm.authenticate("eve", "secret"));
    }

    @Test
    void aUserWithoutAPasswordCannotLogInWithAnEmptyPassword() throws Exception {
        assertNull(realm.authenticate("CN=bob", ""));
        assertNull(realm.digest("CN=bob", "site", "SHA-256"));
    }

    @Test
    void theDigestSecretIsTheHashOfTheUserNameAndTheRealmAndThePassword() throws Exception {
        assertEquals(
                "fec4c75ec4e5dc6b70b04ace1222d06c",
                realm.digest("ann", "site", "MD5").secret());
    }
}
