package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests that a secret of the configuration is used but never shown. */
class SecretTest {
    private static final String SECRET = "a-long-and-secret-token";

    private static Configuration with(String token) {
        return new ConfigurationSources()
                .flag(Key.ADMIN_TOKEN, token, new Origin.Flag("--admin-token"))
                .resolve();
    }

    @Test
    void aSecretIsHiddenInAllOutputs() {
        Configuration configuration = with(SECRET);
        Setting setting = configuration.setting(Key.ADMIN_TOKEN);
        assertEquals(SECRET, setting.text());
        assertEquals("(hidden)", setting.shown());
        assertFalse(configuration.settings().toString().contains(SECRET));
        assertFalse(ServerConfig.of(configuration).toString().contains(SECRET));
        assertTrue(ServerConfig.of(configuration).admin().asksForToken());
    }

    @Test
    void aMissingSecretIsShownAsNone() {
        assertEquals("none", Configuration.defaults().setting(Key.ADMIN_TOKEN).shown());
        assertFalse(ServerConfig.of(Configuration.defaults()).admin().asksForToken());
    }

    @Test
    void theMessageForATooShortSecretDoesNotContainTheSecret() {
        ConfigurationException refusal = assertThrows(ConfigurationException.class, () -> with("swordfish"));
        assertEquals(
                "admin-token must have at least 16 characters, only visible ASCII characters (from --admin-token)",
                refusal.getMessage());
    }
}
