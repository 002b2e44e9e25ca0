package io.penstock.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the check of the token in the {@code Authorization} field. Requests to the admin port need the token. */
class TokenTest {
    private static final String SECRET = "correct-horse-battery:staple";

    private final Token token = new Token(SECRET);

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8));
    }

    @Test
    void theTokenIsAcceptedAsABearerTokenOrAsAPassword() {
        assertTrue(token.isShownBy("Bearer " + SECRET));
        assertTrue(token.isShownBy("bearer  " + SECRET));
        assertTrue(token.isShownBy(basic("anna:" + SECRET)));
        assertTrue(token.isShownBy(basic(":" + SECRET)));
        assertTrue(token.isShownBy(basic("x:" + SECRET).replace("Basic", "BASIC")));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                " ",
                "Bearer",
                "Bearer ",
                "Bearer correct-horse-battery:stapl",
                "Bearer correct-horse-battery:staple2",
                "Bearer CORRECT-HORSE-BATTERY:STAPLE",
                "Digest correct-horse-battery:staple",
                "correct-horse-battery:staple",
                "Basic correct-horse-battery:staple",
                "Basic",
                "Basic ====",
                "Basic Og=="
            })
    void missingAndInvalidAuthorizationFieldsAreRejected(String authorization) {
        assertFalse(token.isShownBy(authorization));
    }

    @Test
    void theTokenIsRejectedAsAUserName() {
        assertFalse(token.isShownBy(basic(SECRET + ":")));
        assertFalse(token.isShownBy(basic("anna:wrong")));
    }
}
