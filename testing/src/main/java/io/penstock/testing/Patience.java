package io.penstock.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets how long tests wait for an expected state. JUnit finds this class by itself, so each {@code await()} has this limit by default.
 */
public final class Patience implements LauncherSessionListener {
    /** Enough for the slowest and busiest machine. After this time a test assumes that the state will not come. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
