package io.penstock;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Of every test class: what is waited for has {@link #PATIENCE}, and is looked at at once and then every few milliseconds, for as a rule it
 * is there. Otherwise it would be looked at after a tenth of a second for the first time, which two waits in each of two thousand tests
 * make minutes of.
 */
public final class PromptWaits implements BeforeAllCallback {
    /** How long a test waits for what will be, on the slowest and busiest machine: whatever takes longer never comes. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

    @Override
    public void beforeAll(ExtensionContext tests) {
        Awaitility.setDefaultTimeout(PATIENCE);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(BETWEEN_LOOKS);
    }
}
