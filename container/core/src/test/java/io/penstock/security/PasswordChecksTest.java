package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PasswordChecksTest {

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 1", "4, 2", "5, 2", "9, 4"})
    void oneAddressCanRunHalfOfTheAllowedPasswordChecksButAtLeastOne(int most, int ofOne) {
        PasswordChecks checks = new PasswordChecks(most);
        for (int i = 0; i < ofOne; i++) {
            assertTrue(checks.begin("a"));
        }
        assertFalse(checks.begin("a"));
    }

    @Test
    void aNewPasswordCheckCanBeginAfterAnotherPasswordCheckHasEnded() {
        PasswordChecks checks = new PasswordChecks(2);
        assertTrue(checks.begin("a"));
        assertTrue(checks.begin("b"));
        assertFalse(checks.begin("c"));
        checks.end("a");
        assertFalse(checks.begin("b"));
        assertTrue(checks.begin("c"));
        checks.end("b");
        checks.end("c");
        assertTrue(checks.begin("a"));
        assertTrue(checks.begin("b"));
    }
}
