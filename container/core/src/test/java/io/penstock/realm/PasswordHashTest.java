package io.penstock.realm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.GeneralSecurityException;
import java.util.List;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordHashTest {
    private static final int FEW_ITERATIONS = 1000;

    @Test
    void aHashCanBeParsedFromItsText() {
        PasswordHash hash = PasswordHash.of("größe:$ 1", FEW_ITERATIONS);
        PasswordHash read = PasswordHash.parse(hash.text());
        assertTrue(hash.text().startsWith("$pbkdf2-sha512$1000$"), hash.text());
        assertEquals(hash.text(), read.text());
        assertTrue(read.matches("größe:$ 1"));
        assertFalse(read.matches("größe:$ 2"));
        assertFalse(read.matches(""));
    }

    @Test
    void twoHashesOfTheSamePasswordDiffer() {
        assertNotEquals(
                PasswordHash.of("a", FEW_ITERATIONS).text(),
                PasswordHash.of("a", FEW_ITERATIONS).text());
    }

    @Test
    void aHashMadeByPythonIsAccepted() {
        // The hash was made by Python: hashlib.pbkdf2_hmac('sha512', b'secret', b'saltsalt', 1000, 32)
        PasswordHash hash =
                PasswordHash.parse("$pbkdf2-sha512$1000$c2FsdHNhbHQ=$sm09rUzS3++3+cqsWziIoWFO8bEknKwJwGEvyD1ra4M=");
        assertTrue(hash.matches("secret"));
        assertFalse(hash.matches("Secret"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32, 64, 65, 200})
    void pbkdf2DerivesTheSameBytesAsTheJdk(int bytes) throws GeneralSecurityException {
        byte[] salt = {1, -2, 3, 0, 5, 6, 7, 8, 9};
        for (String password : List.of("a", "größe:$ €\ud83d\ude00", "long".repeat(100))) {
            PBEKeySpec key = new PBEKeySpec(password.toCharArray(), salt, FEW_ITERATIONS, bytes * 8);
            byte[] wanted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                    .generateSecret(key)
                    .getEncoded();
            assertArrayEquals(wanted, Pbkdf2.derive(password, salt, FEW_ITERATIONS, bytes), password);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "secret",
                "$pbkdf2-sha512$",
                "$pbkdf2-sha512$999$c2FsdHNhbHQ=$c2FsdHNhbHRzYWx0c2FsdA==",
                "$pbkdf2-sha512$99999999$c2FsdHNhbHQ=$c2FsdHNhbHRzYWx0c2FsdA==",
                "$pbkdf2-sha512$1000$c2Fs$c2FsdHNhbHRzYWx0c2FsdA==",
                "$pbkdf2-sha512$1000$c2FsdHNhbHQ=$c2Fs",
                "$pbkdf2-sha512$1000$not base64$c2FsdHNhbHRzYWx0c2FsdA==",
                "$pbkdf2-sha256$1000$c2FsdHNhbHQ=$c2FsdHNhbHRzYWx0c2FsdA==",
                "$digest-md5$00"
            })
    void theErrorForAnInvalidHashDoesNotContainTheHash(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> PasswordHash.parse(text))
                .getMessage();
        assertFalse(text.length() > 20 && message.contains(text), message);
    }

    @Test
    void anEmptyOrTooLongPasswordIsRejected() {
        assertThrows(IllegalArgumentException.class, () -> PasswordHash.of("x".repeat(1025), FEW_ITERATIONS));
        assertThrows(IllegalArgumentException.class, () -> PasswordHash.of("", FEW_ITERATIONS));
        assertFalse(PasswordHash.of("x".repeat(1024), FEW_ITERATIONS).matches("x".repeat(1025)));
    }

    /** HMAC pads keys with NUL bytes. Without a check, a password and the same password with trailing NULs would have the same hash. */
    @Test
    void aPasswordWithTrailingNulsOrAControlCharacterIsRejected() {
        PasswordHash hash = PasswordHash.of("secret", FEW_ITERATIONS);
        assertTrue(hash.matches("secret"));
        assertFalse(hash.matches("secret\0"));
        assertFalse(hash.matches("secret\0\0\0"));
        assertThrows(IllegalArgumentException.class, () -> PasswordHash.of("secret\0", FEW_ITERATIONS));
        assertThrows(IllegalArgumentException.class, () -> PasswordHash.of("sec\tret", FEW_ITERATIONS));
    }

    @Test
    void aCachedPasswordCheckAppliesOnlyToTheSameHashAndPassword() {
        Passwords check = new Passwords();
        PasswordHash first = PasswordHash.of("one", FEW_ITERATIONS);
        PasswordHash second = PasswordHash.of("two", FEW_ITERATIONS);
        for (int i = 0; i < 3; i++) {
            assertTrue(check.matches("one", first, FEW_ITERATIONS));
            assertTrue(check.matches("two", second, FEW_ITERATIONS));
            assertFalse(check.matches("one", second, FEW_ITERATIONS));
            assertFalse(check.matches("two", first, FEW_ITERATIONS));
            assertFalse(check.matches("one", null, FEW_ITERATIONS));
            assertFalse(check.matches("", first, FEW_ITERATIONS));
        }
    }
}
