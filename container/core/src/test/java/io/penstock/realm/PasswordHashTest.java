package io.penstock.realm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
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

    /** Tomcat 11.0.26 has made the hashes, with {@code MessageDigestCredentialHandler} and {@code SecretKeyCredentialHandler}. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{SHA-256}b517509fe5f5f98165b610b6696818cafb04605292b979fac47251ee645571b3",
                "{sha-256}6d1adefce9895205$3$562ab1110380853ce52017f527ec8dd5941098095f8660f164bc50908d777109",
                "{MD5}297f430fd3074cd1fffac96fb1558224",
                "{MD5}e94f92659974bdb1$3$20bad3869ea2b9a634949513503dcb13",
                "{MD5}8sVCrWh8HqG2mkK42Rj8TQ==",
                "{SHA-1}70EDC486970176F1$3$C0BCDA220434C16493C1A00C96D997D0F9BB9345",
                "{SHA-512}581630b4b78cd8187c9adddc07de672f41d0d36f64b7a1d96cddbb8652808eb3824c5629fe2c11ecbb4977f17b3bae3e"
                        + "a543d9e1ef1078e37520be6b1af5b1cf",
                "{PBKDF2WithHmacSHA1}cfbbc4039092c5c3$1000$732ed863bbec2b2c44e52a6abc74e449e229087d",
                "{PBKDF2WithHmacSHA256}2bc74aac73821f2f$1000$461f5097b131c4485a094f0969e84d045b9d2fdb",
                "{SHA}yi9lIaXriDLKRonezMpoljZa8lQ=",
                "{SSHA}8NxOATAC1mV+DVvODKm/fEXIuXEBAgMEBQ==",
                "{SHA}b2d84842bde4543024095aa002f2373e2e193637",
                "{SHA}70edc486970176f1$3$c0bcda220434c16493c1a00c96d997d0f9bb9345",
                "{SHA}sthIQr3kVDAkCVqgAvI3Pi4ZNjc=",
                "{SHA-256}{SHA}yi9lIaXriDLKRonezMpoljZa8lQ="
            })
    void hashesOfTomcatAreAccepted(String text) {
        PasswordHash hash = PasswordHash.parse(text);
        assertTrue(hash.matches("größe 1"));
        assertFalse(hash.matches("größe 2"));
        assertFalse(hash.matches("größe 1\0"));
        assertEquals(!text.contains("PBKDF2"), hash.isWeak(), hash::toString);
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
            assertArrayEquals(
                    wanted,
                    Pbkdf2.derive("HmacSHA512", password.getBytes(StandardCharsets.UTF_8), salt, FEW_ITERATIONS, bytes),
                    password);
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
                "$digest-md5$00",
                "{}00",
                "{SHA-256}",
                "{SHA-256}secret",
                "{SHA-256}b517509fe5f5f98165b610b6696818ca",
                "{SHA-256}00$0$b517509fe5f5f98165b610b6696818cafb04605292b979fac47251ee645571b3",
                "{SHA-256}00$99999999$b517509fe5f5f98165b610b6696818cafb04605292b979fac47251ee645571b3",
                "{NONE}b517509fe5f5f98165b610b6696818cafb04605292b979fac47251ee645571b3",
                "{PBKDF2WithHmacMD5}cfbbc4039092c5c3$1000$732ed863bbec2b2c44e52a6abc74e449e229087d",
                "{PBKDF2WithHmacSHA1}732ed863bbec2b2c44e52a6abc74e449e229087d",
                "{PBKDF2WithHmacSHA1}cfbbc4039092c5c3$1000$732ed863",
                "{SHA}297f430fd3074cd1fffac96fb1558224",
                "{SSHA}yi9lIaXriDLKRonezMpoljZa8lQ=",
                "{SHA}not base64"
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

    /** Characters that ISO-8859-1 does not have are no question marks. */
    @Test
    void aPasswordBeyondLatinLettersMatchesOnlyItself() {
        PasswordHash marks = PasswordHash.parse("{MD5}32TcLrSguFCR3THrSSPqrA==");
        assertTrue(marks.matches("??????"));
        assertFalse(marks.matches("\u043f\u0430\u0440\u043e\u043b\u044c"));
    }

    @Test
    void aCachedPasswordCheckAppliesOnlyToTheSameHashAndPassword() {
        Passwords check = new Passwords();
        PasswordHash first = PasswordHash.of("one", FEW_ITERATIONS);
        PasswordHash second = PasswordHash.of("two", FEW_ITERATIONS);
        for (int i = 0; i < 3; i++) {
            assertTrue(check.matches("one", first, null));
            assertTrue(check.matches("two", second, null));
            assertFalse(check.matches("one", second, null));
            assertFalse(check.matches("two", first, null));
            assertFalse(check.matches("one", null, first));
            assertFalse(check.matches("", first, null));
        }
    }
}
