package io.penstock;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets the waits of all test classes: {@link #PATIENCE} is the timeout, and a condition is checked immediately and then every few
 * milliseconds. Most conditions are true at the first check. By default the first check comes after a tenth of a second, so all tests
 * together would take minutes longer.
 */
public final class PromptWaits implements BeforeAllCallback {
    /** The maximum time that a test waits for a condition, even on a slow and busy machine. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

    @Override
    public void beforeAll(ExtensionContext tests) {
        Awaitility.setDefaultTimeout(PATIENCE);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(BETWEEN_LOOKS);
    }
}
