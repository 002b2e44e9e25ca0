package io.penstock.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionKeyTest {
    @Test
    void aKeyIsTheSha256HashOfTheSessionId() {
        assertEquals(
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                SessionKey.of("abc").toString()); // the one-block example of FIPS 180-4
        assertEquals(SessionKey.of("abc"), new SessionKey(SessionKey.of("abc").digest()));
        assertNotEquals(SessionKey.of("abc"), SessionKey.of("abd"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "../ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n"
            })
    void aTextIsRejectedIfItIsNotASha256HashInLowerCaseHex(String text) {
        assertThrows(IllegalArgumentException.class, () -> new SessionKey(text));
    }
}
