package io.penstock.challenges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the responses to HTTP challenges of a certificate authority (RFC 8555 section 8.3). */
class HttpChallengesTest {
    private final HttpChallenges challenges = new HttpChallenges();

    @Test
    void theKeyAuthorizationIsReturnedUntilTheChallengeIsRemoved() {
        challenges.put("to-ken_1", "to-ken_1.thumb");
        assertEquals("to-ken_1.thumb", challenges.answer("/.well-known/acme-challenge/to-ken_1"));
        assertNull(challenges.answer("/.well-known/acme-challenge/to-ken_2"));
        assertNull(challenges.answer("/to-ken_1"));
        challenges.remove("to-ken_1");
        assertNull(challenges.answer("/.well-known/acme-challenge/to-ken_1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "..", "a%2fb", "a;b", "a.b", "a\n"})
    void anInvalidTokenIsRefused(String token) {
        assertFalse(HttpChallenges.isPath(HttpChallenges.PATH + token));
        assertThrows(IllegalArgumentException.class, () -> challenges.put(token, "x"));
    }

    @Test
    void onlyAPathWithABase64UrlTokenIsAChallengePath() {
        assertTrue(HttpChallenges.isPath(HttpChallenges.PATH + "aZ09-_"));
        assertFalse(HttpChallenges.isPath("/.well-known/acme-challenge"));
    }
}
