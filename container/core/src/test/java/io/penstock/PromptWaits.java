package io.penstock;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Of every test class: what is waited for is looked at at once and then every few milliseconds, for as a rule it is there. Otherwise it would
 * be looked at after a tenth of a second for the first time, which two waits in each of two thousand tests make minutes of.
 */
public final class PromptWaits implements BeforeAllCallback {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

    @Override
    public void beforeAll(ExtensionContext tests) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(BETWEEN_LOOKS);
    }
}
