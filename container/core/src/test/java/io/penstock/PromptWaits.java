package io.penstock;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Configures Awaitility for all test classes. Awaitility checks a condition immediately and then every few milliseconds, and
 * {@link #PATIENCE} is the timeout. Most conditions are true at the first check. By default, Awaitility waits 100 ms before the first
 * check. With this default, all tests together would take minutes longer.
 */
public final class PromptWaits implements BeforeAllCallback {
    /** The maximum time that a test waits for a condition, even on a slow and busy machine. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    @Override
    public void beforeAll(ExtensionContext tests) {
        Awaitility.setDefaultTimeout(PATIENCE);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(POLL_INTERVAL);
    }
}
